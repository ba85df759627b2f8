"""The forms in which memories arrive. One form, one file: lines become messages to keep and problems to report."""
