import { useId, useState } from 'react'
import type { Failure } from '../../shared/ipc/failure.ts'
import { failureOf } from '../ipc/call-failure.ts'
import { useIpcCommand } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import controlsStyles from '../kit/controls.module.css'
import { useNavigate } from '../kit/layout/navigation.tsx'
import textStyles from '../kit/text.module.css'
import { kitText } from '../text/en/kit.en.tsx'
import { failureText } from '../text/failure-text.ts'
import { requestTitle } from '../text/field-map-text.ts'
import styles from './parts.module.css'

export type Offer = NonNullable<Extract<Failure, { kind: 'refused' }>['offer']>
export type Candidate = Offer['candidates'][number]

/** The choice for the user when the service refuses a field name. */
export interface Naming {
  readonly busy: boolean
  /** Why the field name could not be stored; `null` if it was, or if none was chosen yet. */
  readonly failed: string | null
  /** Stores the chosen field name and sends the refused request again. */
  readonly onUse: (candidate: Candidate, asks: string) => void
  readonly onEdit: () => void
}

const keyOf = ({ request, field }: Candidate): string => `${request}/${field}`

/**
 * After the service refused a field name and asked for another name, offers to use the other name. If that name may replace several sent fields,
 * the user chooses the field.
 */
export function NameOffer({ offer, naming }: { readonly offer: Offer; readonly naming: Naming }) {
  const id = useId()
  const { asks, candidates } = offer
  const [chosen, setChosen] = useState('')
  const candidate = candidates.find((one) => keyOf(one) === chosen) ?? candidates[0]
  if (candidate === undefined) return null
  return (
    <div className={styles.nameOffer}>
      <p>{asks === null ? kitText.nameRefused(<code>{candidate.sent}</code>) : kitText.nameRefusedFor(<code>{candidate.sent}</code>, <code>{asks}</code>)}</p>
      {asks === null || candidates.length === 1 ? null : (
        <p>
          <label htmlFor={id}>{kitText.sendAs(<code>{asks}</code>)}</label>{' '}
          <select id={id} className={controlsStyles.input} value={keyOf(candidate)} onChange={(event) => setChosen(event.target.value)}>
            {candidates.map((one) => (
              <option key={keyOf(one)} value={keyOf(one)}>
                {one.sent}
                {requestTitle(one.request) === null && new Set(candidates.map(({ request }) => request)).size === 1
                  ? ''
                  : ` (${requestTitle(one.request) ?? one.request})`}
              </option>
            ))}
          </select>
        </p>
      )}
      {naming.failed === null ? null : <p className={textStyles.warn}>{naming.failed}</p>}
      <span className={textStyles.actions}>
        {asks === null ? null : (
          <Button size="xs" variant="primary" busy={naming.busy} onClick={() => naming.onUse(candidate, asks)}>
            {kitText.useNameAndRetry}
          </Button>
        )}
        <Button size="xs" onClick={naming.onEdit}>
          {kitText.editFieldMap}
        </Button>
      </span>
    </div>
  )
}

/** Stores the field name that the service asked for in a refusal, then calls `again` to repeat the request. */
export function useNaming(again: () => void): Naming {
  const navigate = useNavigate()
  const change = useIpcCommand('fieldMap.change')
  return {
    busy: change.isPending,
    failed: change.error === null ? null : failureText(failureOf(change.error)).meaning,
    onUse: ({ request, field }, asks) =>
      change.mutate({ set: [{ part: 'payloads', of: request, field, at: asks, unit: null }], remove: [], from: 'refusal' }, { onSuccess: again }),
    onEdit: () => navigate('settings/fields'),
  }
}
