import { useState } from 'react'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { EnvOutcome } from '../../shared/ipc/keys/secrets.ts'
import type { Result } from '../../shared/result.ts'
import { type DeskCall, useDeskCall } from '../ipc/use-desk.ts'

type Asked = Extract<EnvOutcome, { readonly state: 'asks' }>

export interface EnvSave {
  readonly busy: boolean
  /** What the user is asked before anything is written. */
  readonly asked: Asked | null
  /** The file that was written. */
  readonly saved: string | null
  readonly failure: Failure | null
  readonly press: () => void
  readonly answer: (word: 'write' | 'ignore' | 'cancel') => void
}

/** Saves a secret to a file that main lets the user choose, with what main may ask before it writes. */
export function useEnvSave(begin: (call: DeskCall) => Promise<Result<EnvOutcome, Failure>>): EnvSave {
  const call = useDeskCall()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<EnvOutcome | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const follow = async (asking: Promise<Result<EnvOutcome, Failure>>) => {
    setBusy(true)
    setFailure(null)
    const done = await asking
    setBusy(false)
    if (done.ok) setOutcome(done.value)
    else setFailure(done.failure)
  }
  return {
    busy,
    asked: outcome?.state === 'asks' ? outcome : null,
    saved: outcome?.state === 'saved' ? outcome.path : null,
    failure,
    press: () => {
      setOutcome(null)
      void follow(begin(call))
    },
    answer: (word) => {
      if (outcome?.state === 'asks') void follow(call('secrets.answerEnv', { id: outcome.id, answer: word }))
    },
  }
}
