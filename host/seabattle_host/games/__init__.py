"""The games at one screen, also as lines of text for a chat bot."""
