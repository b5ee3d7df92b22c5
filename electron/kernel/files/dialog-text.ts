import { visibleText } from '../../../shared/signing/visible-text.ts'

declare const checked: unique symbol
/** Text that a native dialog may show: nothing in it is hidden, and none of it is longer than can be read. Made here alone. */
export type DialogText = string & { readonly [checked]: true }

/** The most characters that each part shows. A question's are 2,000 together, with two buttons. */
export const most = { title: 80, message: 300, detail: 1_500, button: 60, fileName: 120 } as const

/** One line. What is too long loses its middle, and says how much. `atMost`: characters, 40 or more. */
export const dialogLine = (text: string, atMost: number): DialogText => cutMiddle(visibleText(text).replace(/[\t\n\r]/g, named), atMost) as DialogText

/** Lines as they are written, likewise. */
export const dialogLines = (text: string, atMost: number): DialogText => cutMiddle(visibleText(text).replace(/[\t\r]/g, named), atMost) as DialogText

const named = (character: string): string => `‹U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`

function cutMiddle(text: string, atMost: number): string {
  const characters = Array.from(text)
  if (characters.length <= atMost) return text
  // Room for the count, which is at most as long as that of the whole.
  const kept = atMost - ` … ${characters.length} characters left out … `.length
  const first = Math.ceil(kept / 2)
  return `${characters.slice(0, first).join('')} … ${characters.length - kept} characters left out … ${characters.slice(first - kept).join('')}`
}
