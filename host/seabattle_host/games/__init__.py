"""Games at one screen, full-screen or as lines of text, also for a chat bot."""
