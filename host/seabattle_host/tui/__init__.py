"""The application with screens: the widgets, the screens, and the session that they show."""
