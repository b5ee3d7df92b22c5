import { failureOf } from '../ipc/desk-failure.ts'
import { useDeskCommand } from '../ipc/use-desk.ts'
import { useNavigate } from '../kit/layout/navigation.tsx'
import { failureText } from '../text/failure-text.ts'
import type { Naming } from './name-offer.tsx'

/** Remembers a name that a refusal asks for, then does `again` what was refused. */
export function useNaming(again: () => void): Naming {
  const navigate = useNavigate()
  const change = useDeskCommand('fieldMap.change')
  return {
    busy: change.isPending,
    failed: change.error === null ? null : failureText(failureOf(change.error)).meaning,
    onUse: ({ request, field }, asks) =>
      change.mutate({ set: [{ part: 'payloads', of: request, field, at: asks, unit: null }], remove: [], from: 'refusal' }, { onSuccess: again }),
    onEdit: () => navigate('settings/fields'),
  }
}
