"""Every word the program says: the catalogues, messages from them, codes of the protocol in words, and letters."""
