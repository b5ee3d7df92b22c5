/** A number of seven bits a byte, the low ones first. */
function varint(bytes: Buffer, from: number): { readonly value: number; readonly next: number } | null {
  let [value, factor, next] = [0, 1, from]
  for (;;) {
    const byte = bytes[next]
    if (byte === undefined || factor > 2 ** 42) return null
    value += (byte & 0x7f) * factor
    factor *= 128
    next += 1
    if (byte < 0x80) return { value, next }
  }
}

/** The number that the set bits of `mask` choose bytes for, from `at` on. */
function chosen(bytes: Buffer, at: number, mask: number): { readonly value: number; readonly next: number } {
  let [value, next] = [0, at]
  for (let place = 0, left = mask; left > 0; place += 1, left >>= 1) {
    if ((left & 1) === 0) continue
    value += (bytes[next] ?? 0) * 2 ** (8 * place)
    next += 1
  }
  return { value, next }
}

/** What git's delta makes of its base (gitformat-pack, "Deltified representation"). null: it does not fit, or makes more than `most` bytes. */
export function applyDelta(base: Buffer, delta: Buffer, most: number): Buffer | null {
  const source = varint(delta, 0)
  const target = source === null ? null : varint(delta, source.next)
  if (source === null || target === null || source.value !== base.length || target.value > most) return null
  const made = Buffer.allocUnsafe(target.value)
  let [written, at] = [0, target.next]
  while (at < delta.length) {
    const command = delta[at] ?? 0
    at += 1
    if (command === 0) return null
    const copies = command >= 0x80
    const from = copies ? chosen(delta, at, command & 0x0f) : { value: at, next: at }
    const size = copies ? chosen(delta, from.next, (command >> 4) & 0x07) : { value: command, next: at + command }
    // No size means the most that two bytes and one more can not say.
    const length = copies && size.value === 0 ? 0x10000 : size.value
    const [bytes, end] = [copies ? base : delta, from.value + length]
    if (end > bytes.length || written + length > made.length) return null
    bytes.copy(made, written, from.value, end)
    written += length
    at = size.next
  }
  return written === made.length ? made : null
}
