"""CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, not reflected, not inverted. Guards saved records."""


def crc16(data: "bytes | bytearray", n: int, crc: int = 0xFFFF) -> int:
    """Return the checksum, 0..0xFFFF, of the first n bytes of data; crc is the checksum of the bytes before them."""
    i = 0
    while i < n:
        crc ^= data[i] << 8
        bit = 0
        while bit < 8:
            crc = crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1
            bit += 1
        crc &= 0xFFFF
        i += 1
    return crc
