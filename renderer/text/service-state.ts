import { textOf } from '../../shared/text/catalogue.ts'
import type { IconName } from '../kit/icons/icon.tsx'
import type { StateTone } from '../kit/layout/state.tsx'
import { kitText } from './en/kit.en.tsx'
import { serviceWords } from './en/parts.en.tsx'

export interface StateLook {
  readonly tone: StateTone
  readonly icon: IconName
  readonly words: string
}

const good = new Set(['ok', 'up', 'online', 'healthy', 'operational', 'live', 'running', 'open', 'ready', 'normal'])
const bad = new Set(['down', 'offline', 'unavailable', 'error', 'failed', 'halted', 'closed', 'stopped'])

/**
 * Returns icon and colour for the state of a part of the service. The API document does not list the possible words, so an unknown word looks
 * neutral, neither good nor bad.
 */
export function stateLook(word: string | null): StateLook {
  if (word === null) return { tone: 'off', icon: 'unknown', words: '—' }
  const written = word.trim().toLowerCase()
  if (good.has(written)) return { tone: 'ok', icon: 'check', words: word }
  return bad.has(written) ? { tone: 'danger', icon: 'x', words: word } : { tone: 'warn', icon: 'warn', words: word }
}

/** The readable form of a name that the service gave: `new_orders` becomes "New orders". */
export function readableName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The app’s word for a state or type in the service’s words. The API document lists few of these words, so a word that the app does not know only
 * becomes readable.
 */
export const serviceWord = (word: string): string =>
  textOf(
    serviceWords,
    word
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  ) ?? readableName(word)

/**
 * Returns a profile's name. The practice exchange's stored name is always English, so it is translated here. Any other name was typed by the user.
 */
export const profileName = ({ kind, name }: { readonly kind: 'live' | 'practice'; readonly name: string }): string =>
  kind === 'practice' && name === 'Practice' ? kitText.practice : name
