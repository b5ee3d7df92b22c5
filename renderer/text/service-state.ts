import type { IconName } from '../kit/icons/icon.tsx'
import type { StateTone } from '../kit/layout/state.tsx'
import { kitText } from './en/kit.en.tsx'

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

/**
 * Returns a profile's name. The practice exchange's stored name is always English, so it is translated here. Any other name was typed by the user.
 */
export const profileName = ({ kind, name }: { readonly kind: 'live' | 'practice'; readonly name: string }): string =>
  kind === 'practice' && name === 'Practice' ? kitText.practice : name
