import type { Failure } from '../../../shared/ipc/failure.ts'
import { Button } from '../../kit/button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useNaming } from '../../parts/use-naming.ts'

interface ExecutionFailureProps {
  readonly failure: Failure
  /** Does again what was refused. */
  readonly onAgain: () => void
}

/** A failed delegated order, with the way out where there is one: binding an executor, a key, another name, the order that is in the way. */
export function ExecutionFailure({ failure, onAgain }: ExecutionFailureProps) {
  const navigate = useNavigate()
  const naming = useNaming(onAgain)
  const intentRef = 'intentRef' in failure ? failure.intentRef : null
  const action =
    failure.kind === 'executor_required'
      ? { label: 'Bind an executor', to: failure.keyId === null ? 'keys' : `keys/${encodeURIComponent(failure.keyId)}/executor` }
      : failure.kind === 'api_key_required' || failure.kind === 'scope_missing'
        ? { label: 'New key', to: 'keys/new' }
        : failure.kind === 'no_wallet'
          ? { label: 'Connect', to: 'connect' }
          : intentRef !== null
            ? { label: 'Open it', to: `activity/${intentRef}` }
            : null
  return (
    <FailureNote
      failure={failure}
      naming={naming}
      actions={
        action === null ? undefined : (
          <Button size="xs" onClick={() => navigate(action.to)}>
            {action.label}
          </Button>
        )
      }
    />
  )
}
