import type { Agent } from 'undici'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PracticeDescriptor } from '../../../shared/practice.ts'
import { fail, type Result } from '../../../shared/result.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { createPhoneLine, type PhoneLine } from '../profiles/phone-line.ts'

export interface PhoneSwitch {
  readonly handlers: Handlers<'phone.state' | 'phone.approve' | 'phone.reject'>
  pair(uri: string): Promise<Result<Record<string, never>, Failure>>
  /** Follows the phone of this practice; null hangs up. */
  connect(descriptor: PracticeDescriptor | null): void
}

/** The line to the practice phone, which is another one after each start of practice. */
export function createPhoneSwitch({
  dispatcher,
  sleep,
  onChange,
}: {
  readonly dispatcher: Agent
  readonly sleep: Sleep
  readonly onChange: () => void
}): PhoneSwitch {
  let line: PhoneLine | null = null
  const off = (): Promise<{ readonly ok: false; readonly failure: Failure }> =>
    Promise.resolve(fail({ kind: 'practice_failed', part: 'wallet', detail: 'Practice is not running.' }))
  return {
    handlers: {
      'phone.state': () => line?.state() ?? off(),
      'phone.approve': ({ id }) => line?.approve(id) ?? off(),
      'phone.reject': ({ id }) => line?.reject(id) ?? off(),
    },
    pair: (uri) => line?.pair(uri) ?? off(),
    connect(descriptor) {
      line?.hangUp()
      line = descriptor === null ? null : createPhoneLine({ descriptor, dispatcher, onChange, sleep })
    },
  }
}
