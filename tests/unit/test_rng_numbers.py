"""Numbers that boards and PCs must share: those of the generator, and the checksum CRC-16/CCITT-FALSE."""

from binascii import crc_hqx

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seabattle import rng as module
from seabattle.crc import crc16
from seabattle.rng import Rng


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


@pytest.mark.parametrize("a", [module._A, module._B])
def test_the_moduli_are_safe_primes_so_the_period_is_half_of_them(a):
    assert a <= 32767
    assert is_prime(a * 2**15 - 1)
    assert is_prime(a * 2**14 - 1)


def numbers(rng, count):
    """Return the next 15-bit numbers, by multiplication: multiply-with-carry is multiplication modulo a*2**15 - 1, the
    state read as c*2**15 + x.
    """
    s, t = rng._t, rng._u
    p, q = module._A * 2**15 - 1, module._B * 2**15 - 1
    return [(s * pow(module._A, n, p) % p ^ t * pow(module._B, n, q) % q) & 0x7FFF for n in range(1, count + 1)]


@pytest.mark.parametrize("seed", [0, 1, 2, 77, 2**15, 2**30 - 1])
def test_the_sequence_is_that_of_two_multiplicative_generators(seed):
    rng = Rng(seed)
    for want in numbers(rng, 300):
        assert rng.below(16384) == want % 16384


def test_numbers_of_the_incomplete_last_run_are_left_out_and_no_others():
    for seed in range(100):
        first, second = numbers(Rng(seed), 2)
        for n in (first, first + 1):
            # One whole run of n fits where n is more than half of all: n itself is left out, n - 1 is not.
            if 16384 < n < 32767 and second < n:
                assert Rng(seed).below(n) == (second if n == first else first)


def test_no_seed_leads_to_a_state_that_never_moves():
    for seed in range(0, 2**30, 2**14 + 1):
        rng = Rng(seed)
        assert 1 <= rng._t >> 15 <= module._A - 2
        assert 1 <= rng._u >> 15 <= module._B - 2


def test_no_two_seeds_start_in_the_same_state():
    states = {(r._t, r._u) for r in (Rng(s) for s in range(0, 2**30, 2**15 - 19))}
    assert len(states) == len(range(0, 2**30, 2**15 - 19))


@settings(deadline=None, derandomize=True)
@given(st.binary(max_size=50), st.binary(max_size=50))
def test_the_checksum_of_the_first_bytes_is_what_the_library_computes_also_in_parts(first: bytes, more: bytes) -> None:
    assert crc16(more + first, len(more), crc16(first, len(first))) == crc_hqx(first + more, 0xFFFF)
