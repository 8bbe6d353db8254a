"""Tests on an emulated Raspberry Pi Pico W that runs an official MicroPython image."""
