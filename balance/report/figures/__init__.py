"""Figures: numbers in, a drawn `Figure` out."""
