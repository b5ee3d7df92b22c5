import type { InputEvent, WebContents } from 'electron'
import { fail } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'

/** The user's input in the windows, as Chromium's browser process sees it. No page script can create these events. */
export interface Gestures {
  /** Watches the input of a window. */
  follow(contents: Pick<WebContents, 'on'>): void
  /** Whether the user clicked, tapped or pressed a key a moment ago. Each gesture counts once. */
  take(): boolean
}

const lifeMs = 2 * second
/** The events that end a click or tap, or start a key press: one per gesture. */
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

/** Calls that put a secret where every program can read it. */
const ofTheUser: ReadonlySet<unknown> = new Set(['keys.copySecret', 'webhooks.copySecret'])

/** Refuses to copy a secret unless the user clicked or pressed a key just before. */
export const guardGestures =
  (answerCall: AnswerCall, take: Gestures['take']): AnswerCall =>
  async (name, input) =>
    ofTheUser.has(name) && !take() ? { result: fail({ kind: 'gesture_required' }), invalidates: [] } : answerCall(name, input)
