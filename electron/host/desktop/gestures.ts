import type { InputEvent, WebContents } from 'electron'
import { fail } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'

/** The user’s input in the app’s windows as reported by Chromium’s browser process. Scripts of a page cannot fake these events. */
export interface Gestures {
  /** Watches the input of a window. */
  follow(contents: Pick<WebContents, 'on'>): void
  /** Whether the user clicked, tapped or pressed a key a moment ago. Each gesture returns true only once. */
  take(): boolean
}

const lifeMs = 2 * second
/** The event types that count as a gesture, one per click, tap or key press. */
const counted: ReadonlySet<InputEvent['type']> = new Set(['mouseUp', 'gestureTap', 'rawKeyDown'])

export function createGestures(clock: Pick<Clock, 'monotonic'>): Gestures {
  let lastMs: number | null = null
  return {
    follow(contents) {
      contents.on('input-event', (_event, { type, modifiers = [] }) => {
        if (counted.has(type) && !modifiers.includes('isautorepeat')) lastMs = clock.monotonic()
      })
    },
    take() {
      const fresh = lastMs !== null && clock.monotonic() - lastMs <= lifeMs
      lastMs = null
      return fresh
    },
  }
}

/** Calls that copy a secret to the clipboard, where every program can read it. */
const ofTheUser: ReadonlySet<unknown> = new Set(['keys.copySecret', 'webhooks.copySecret'])

/** Wraps a window’s calls. Refuses to copy a secret unless the user clicked or pressed a key just before. */
export const guardGestures =
  (answerCall: AnswerCall, take: Gestures['take']): AnswerCall =>
  async (name, input) =>
    ofTheUser.has(name) && !take() ? { result: fail({ kind: 'gesture_required' }), invalidates: [] } : answerCall(name, input)
