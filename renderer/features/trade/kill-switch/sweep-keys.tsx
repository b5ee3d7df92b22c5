import type { KnownSweep } from '../../../../shared/ipc/intents/sweeps.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { MissingNote } from '../../../parts/missing-note.tsx'
import { many } from './sweep-words.ts'

/** The last step of the kill switch, which can be taken at any time. */
export function SweepKeys({ sweep }: { readonly sweep: KnownSweep }) {
  const navigate = useNavigate()
  const list = useDeskQuery('keys.list', {})
  const revoke = useDeskCommand('sweeps.revoke')
  const { revocation, state } = sweep
  if (revocation === null) return null
  const keys = list.data?.keys.filter(isLiveKey).map(({ id }) => id) ?? []
  const failure = revoke.error !== null ? failureOf(revoke.error) : revocation.failure
  const toShow = revocation.state !== 'waiting' && revocation.total > 0
  return (
    <div className="swp-keys">
      <Icon name={revocation.state === 'done' ? 'check' : 'nokey'} />
      <div className="grow">
        <b>{headOf(revocation, keys.length)}</b>
        <p>{wordsOf(revocation)}</p>
        <MissingNote missing={list.data?.missing} one="key" many="keys" />
        {failure === null ? null : <FailureNote failure={failure} />}
      </div>
      {toShow ? (
        <Button size="sm" onClick={() => navigate('keys/panic')}>
          Show each key
        </Button>
      ) : null}
      {state === 'done' || revocation.state === 'running' || revocation.state === 'done' ? null : list.data === undefined ? (
        <Button size="sm" icon="user" onClick={() => navigate('sign-in')}>
          Sign in
        </Button>
      ) : revocation.state === 'stopped' ? null : (
        <Button
          size="sm"
          variant="danger-fill"
          icon="trash"
          disabled={keys.length === 0}
          busy={revoke.isPending}
          onClick={() => revoke.mutate({ keyIds: keys })}
        >
          Revoke now
        </Button>
      )}
    </div>
  )
}

type Revocation = NonNullable<KnownSweep['revocation']>

function headOf({ state, total, left, revoked }: Revocation, active: number): string {
  switch (state) {
    case 'waiting':
      return total === 0 ? `${many(active, 'key')} still active` : `${many(total, 'key')} to be revoked`
    case 'running':
      return `Revoking keys, ${total - left} of ${total}`
    case 'stopped':
      return `Revoking stopped, ${left} of ${total} still work`
    case 'done':
      return total === 0 ? 'No key was to be revoked' : `${revoked} of ${many(total, 'key')} revoked`
  }
}

function wordsOf({ state }: Revocation): string {
  switch (state) {
    case 'waiting':
      return 'After the steps above. Revoked earlier, nothing more can be prepared here until there is a new key.'
    case 'running':
      return 'It needs no signature and goes on whatever page you are on.'
    case 'stopped':
      return 'It goes on where keys are revoked.'
    case 'done':
      return 'Bots with these keys have stopped.'
  }
}
