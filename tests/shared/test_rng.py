"""The random generator: uniform, repeatable, small."""

from lots import looks_fair
from placement import heap_lock, heap_unlock

from seabattle.rng import Rng

CPYTHON_ONLY = ("test_neighbouring_seeds_are_unrelated",)

LAST_SEED = (1 << 30) - 1


def test_below_stays_below_and_reaches_both_ends():
    rng = Rng(4)
    for n in (1, 2, 3, 5):
        seen = set()
        for _ in range(100):
            seen.add(rng.below(n))
        assert seen == set(range(n))
    high = 0
    for _ in range(2000):
        r = rng.below(32767)
        assert 0 <= r < 32767
        high = max(high, r)
    assert high > 32000


def test_neighbouring_seeds_are_unrelated():
    rng = Rng()
    for distance in (1, 2, 1 << 14, 1 << 15, 1 << 29):
        counts = [0] * 100
        for seed in range(2500):
            rng.seed(seed)
            a = rng.below(10)
            rng.seed(seed + distance)
            counts[a * 10 + rng.below(10)] += 1
        assert looks_fair(counts), distance


def test_the_same_seed_gives_the_same_numbers_and_none_is_seed_1():
    for seed in (0, 1, 12345, LAST_SEED):
        a = Rng(seed)
        first = [a.below(1000) for _ in range(20)]
        assert len(set(first)) > 10
        for b in [Rng(seed), a] + ([Rng()] if seed == 1 else []):
            if b is a:
                a.seed(seed)
            assert first == [b.below(1000) for _ in range(20)], seed
    for seed, numbers in (
        (0, [181, 649, 822, 482]),
        (12345, [193, 26, 483, 663]),
        (LAST_SEED, [280, 680, 757, 603]),
    ):
        a = Rng(seed)
        assert [a.below(1000) for _ in numbers] == numbers


def test_nothing_is_allocated():
    rng = Rng(9)
    ok = True
    heap_lock()
    try:
        i = 0
        while i < 2000:
            rng.seed(LAST_SEED - i)
            ok = ok and rng.below(32767) < 32767 and rng.below(10) < 10
            i += 1
    finally:
        heap_unlock()
    assert ok
