# Each target is one of make.py's; ARGS is passed on: make test ARGS="-k wall"
PYTHON ?= python3

.PHONY: play club check quick test bench setup
play club check quick test bench setup:
	@$(PYTHON) make.py $@ $(ARGS)
