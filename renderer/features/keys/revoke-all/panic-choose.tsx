import { useState } from 'react'
import type { PanicState } from '../../../../shared/ipc/intents/kill-switch.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { panicPhrase } from '../../../../shared/phrases.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import { Chip, ScopeChips } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Empty } from '../../../kit/layout/empty.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { SkeletonRows } from '../../../kit/layout/skeleton.tsx'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time, useNow } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { ConfirmName } from '../../../parts/confirm-name.tsx'
import { FailurePanel, MissingNote } from '../../../parts/failure-note.tsx'
import { daysText, lifeOf } from '../key-view.ts'
import keysStyles from '../keys.module.css'
import { UnreadNote } from '../unread-note.tsx'
import panicStyles from './panic.module.css'

type Known = Exclude<PanicState, { state: 'idle' }>

interface ChooseProps {
  /** What became of the last one. */
  readonly last: Known | null
  readonly onStarted: (panic: Known) => void
  readonly onShowLast: () => void
}

/** Which keys: all active ones until the user says otherwise. One confirmation for all of them. */
export function PanicChoose({ last, onStarted, onShowLast }: ChooseProps) {
  const navigate = useNavigate()
  const list = useDeskQuery('keys.list', {})
  const start = useDeskCommand('panic.start')
  const now = useNow(minute)
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set())
  const [confirms, setConfirms] = useState(false)
  const keys = (list.data?.keys ?? []).filter(isLiveKey)
  const chosen = keys.filter(({ id }) => !spared.has(id))
  const count = chosen.length
  const agents = chosen.filter(({ agent }) => agent !== null && agent.granted !== false).length
  const spare = (id: string, spares: boolean) => setSpared(new Set(spares ? [...spared, id] : [...spared].filter((one) => one !== id)))
  const failure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const phrase = panicPhrase(count)
  const go = () =>
    start.mutate(
      { keyIds: chosen.map(({ id }) => id), typed: phrase },
      {
        onSuccess: (panic) => {
          setConfirms(false)
          if (panic.state !== 'idle') onStarted(panic)
        },
      },
    )
  return (
    <>
      <Note tone="danger" title="For when something is wrong.">
        Bots with these keys stop at once and their agents lose their grants. Open positions stay open. It cannot be undone, and nothing on this computer holds
        it back: not a full disk, not a locked keychain.
      </Note>
      <UnreadNote unread={list.data?.unread ?? null} />
      <MissingNote missing={list.data?.missing} one="key" many="keys" />
      <section className={cx(panelStyles.panel, panicStyles.revokeAllList, panicStyles.revokeAllChoose)} aria-label="Keys to revoke">
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          <Checkbox checked={keys.length > 0 && count === keys.length} onChange={(all) => setSpared(new Set(all ? [] : keys.map(({ id }) => id)))}>
            All active keys
          </Checkbox>
          <span className={panelStyles.count}>
            {count} of {keys.length} chosen
          </span>
          <span className={panelStyles.end}>
            {last === null ? null : (
              <Button size="sm" variant="ghost" icon="doc" onClick={onShowLast}>
                Last report
              </Button>
            )}
            <Button onClick={() => navigate('keys')}>Keep them</Button>
            <Button variant="danger-fill" icon="trash" disabled={count === 0} onClick={() => setConfirms(true)}>
              Revoke {count} {count === 1 ? 'key' : 'keys'}…
            </Button>
          </span>
        </div>
        {failure !== null ? (
          <FailurePanel failure={failure} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        ) : list.data === undefined ? (
          <Table label="Keys to revoke" busy>
            <SkeletonRows rows={4} columns={6} />
          </Table>
        ) : keys.length === 0 ? (
          <Empty icon="nokey" title="No key is active">
            There is nothing to revoke.
          </Empty>
        ) : (
          <Table label="Keys to revoke">
            <thead>
              <tr>
                <HeadCell>Key</HeadCell>
                <HeadCell>Scopes</HeadCell>
                <HeadCell>Agent</HeadCell>
                <HeadCell>Executor</HeadCell>
                <HeadCell numeric>Ends in</HeadCell>
                <HeadCell numeric>Last used</HeadCell>
              </tr>
            </thead>
            <tbody>
              {keys.map((entry) => {
                const { days } = lifeOf(entry, now)
                return (
                  <tr key={entry.id} className={spared.has(entry.id) ? panicStyles.spared : undefined}>
                    <td>
                      <Checkbox checked={!spared.has(entry.id)} onChange={(takes) => spare(entry.id, !takes)}>
                        <span className={cx(keysStyles.keyName, panicStyles.keyName, textStyles.name)}>
                          <span className={textStyles.cut} title={entry.label}>
                            {entry.label}
                          </span>
                          {entry.inUse ? <Chip tone="accent">In use by this app</Chip> : null}
                        </span>
                        <CodeId className={textStyles.muted} id={entry.id} />
                      </Checkbox>
                    </td>
                    <td>{entry.scopes === null ? <span className={textStyles.muted}>Not said</span> : <ScopeChips scopes={entry.scopes} />}</td>
                    <td>{entry.agent === null ? <span className={textStyles.muted}>None</span> : entry.agent.granted === false ? 'No grant' : 'Granted'}</td>
                    <td>{entry.executor === null ? <span className={textStyles.muted}>Not bound</span> : <code>{entry.executor}</code>}</td>
                    <td className={textStyles.right}>{days === null ? <span className={textStyles.muted}>—</span> : daysText(days)}</td>
                    <td className={cx(textStyles.right, textStyles.muted)}>
                      <Time ms={entry.lastUsedAtMs} />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </Table>
        )}
      </section>
      {confirms ? (
        <ConfirmName
          title={`Revoke ${count} ${count === 1 ? 'key' : 'keys'}`}
          effect={`${count === keys.length ? 'Every active key of this wallet' : `${count} of ${keys.length} active keys`} stops for good${
            agents === 0 ? '' : `, and with them ${agents} ${agents === 1 ? 'agent' : 'agents'}`
          }. One word for all; you can follow each.`}
          name={phrase}
          confirmLabel={`Revoke ${count === 1 ? 'the key' : 'them all'}`}
          keepLabel="Keep them"
          busy={start.isPending}
          failure={start.error === null ? null : failureOf(start.error)}
          onClose={() => setConfirms(false)}
          onConfirm={go}
        />
      ) : null}
    </>
  )
}
