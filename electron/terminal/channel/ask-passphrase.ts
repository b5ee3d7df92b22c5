import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'

/** no_terminal: none controls this process, so nobody can be asked. stopped: by Ctrl-C or Ctrl-D. */
export type Typed = { readonly typed: string } | 'no_terminal' | 'stopped'

/** What stands in the line, and whether Enter ended it or the user gave up. */
export interface TypedLine {
  readonly text: string
  readonly over: 'end' | 'stop' | null
}

const [stop, endOfInput, backspace, clearLine, erase] = ['\u0003', '\u0004', '\b', '\u0015', '\u007f']
/** What keys such as arrows send, else one character at a time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what such keys send begins with one
const keys = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?|./gsu

/** The line after these keys, as a terminal sends them that neither shows nor edits. */
export function typeInto(line: TypedLine, input: string): TypedLine {
  let { text } = line
  for (const key of input.match(keys) ?? []) {
    if (key === '\r' || key === '\n') return { text, over: 'end' }
    if (key === stop || key === endOfInput) return { text: '', over: 'stop' }
    if (key === erase || key === backspace) text = [...text].slice(0, -1).join('')
    else if (key === clearLine) text = ''
    else if (key >= ' ') text += key
  }
  return { text, over: null }
}

/**
 * Asks on the terminal itself, past input and output, which are the command's that will be started. What is typed is not
 * shown. Windows has no such file: there is nobody to ask.
 */
export const askPassphrase = (question: string): Promise<Typed> => askOnTerminal(question, 'hidden')

/** The same with what is typed shown: for a word that is no secret. The terminal edits the line, and Ctrl-C ends the program. */
export const askWord = (question: string): Promise<Typed> => askOnTerminal(question, 'shown')

function askOnTerminal(question: string, typing: 'hidden' | 'shown'): Promise<Typed> {
  const terminal = openTerminal()
  if (terminal === null) return Promise.resolve('no_terminal')
  const { input, out } = terminal
  // Before the question: what is typed at once is not shown either.
  if (typing === 'hidden') input.setRawMode(true)
  input.setEncoding('utf8')
  writeSync(out, question)
  return new Promise((resolve) => {
    let line: TypedLine = { text: '', over: null }
    const end = (typed: Typed) => {
      if (typing === 'hidden') {
        input.setRawMode(false)
        writeSync(out, '\n')
      }
      input.destroy()
      closeSync(out)
      resolve(typed)
    }
    input.on('data', (keys) => {
      line = typeInto(line, String(keys))
      if (line.over !== null) end(line.over === 'end' ? { typed: line.text } : 'stopped')
    })
    input.on('error', () => undefined)
    input.once('end', () => end('stopped'))
  })
}

function openTerminal(): { readonly input: ReadStream; readonly out: number } | null {
  try {
    return { input: new ReadStream(openSync('/dev/tty', 'r')), out: openSync('/dev/tty', 'w') }
  } catch {
    return null
  }
}
