"""Figures: functions that turn tables of numbers into a drawn `Figure`."""
