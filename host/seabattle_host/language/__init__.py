"""Every word the program says, in English and in Russian, and the letters of both."""
