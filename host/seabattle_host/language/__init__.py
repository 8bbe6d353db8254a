"""All texts of the program: the catalogues, messages from them, protocol codes in words, and letters."""
