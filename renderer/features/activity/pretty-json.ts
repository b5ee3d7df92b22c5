/** A string, also one that was cut off; a mark; a run of anything else. Spaces between them are passed over. */
const token = /"(?:[^"\\]|\\[\s\S]?)*"?|[{}[\],:]|[^\s"{}[\],:]+/g
const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * JSON in lines, two spaces a level, each value as it came: a number keeps all its digits. Text that was cut off is laid out as far as it
 * goes; what is no JSON object or list stays as it is.
 */
export function prettyJson(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  const tokens = text.match(token) ?? []
  let depth = 0
  let out = ''
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [index, current] of tokens.entries()) {
    const close = closing[current]
    if (close !== undefined) {
      out += current
      if (tokens[index + 1] === close) continue
      depth += 1
      out += line()
    } else if (current === '}' || current === ']') {
      const opened = tokens[index - 1]
      if (opened === undefined || closing[opened] !== current) {
        depth = Math.max(0, depth - 1)
        out += line()
      }
      out += current
    } else if (current === ',') out += `,${line()}`
    else out += current === ':' ? ': ' : current
  }
  return out
}
