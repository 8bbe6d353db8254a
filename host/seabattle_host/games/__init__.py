"""The games that are played at one screen, or by lines of text that a chat bot carries."""
