import { useState } from 'react'
import type { RevokeAllState } from '../../../../shared/ipc/intents/kill-switch.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { revokeAllPhrase } from '../../../../shared/phrases.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import { Chip, ScopeChips } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../../kit/layout/placeholders.tsx'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time, useNow } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { ConfirmName } from '../../../parts/confirm-name.tsx'
import { FailurePanel, MissingNote, UnreadNote } from '../../../parts/failure-note.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { leftText, lifeOf } from '../key-view.ts'
import keysStyles from '../keys.module.css'
import revokeAllStyles from './revoke-all.module.css'

type Known = Exclude<RevokeAllState, { state: 'idle' }>

interface ChooseProps {
  /** The previous revocation of many keys. The user can open its report again. */
  readonly last: Known | null
  readonly onStarted: (revokeAll: Known) => void
  readonly onShowLast: () => void
}

/** The user chooses the keys to revoke (by default all active ones) and confirms once. */
export function RevokeAllChoose({ last, onStarted, onShowLast }: ChooseProps) {
  const navigate = useNavigate()
  const list = useIpcQuery('keys.list', {})
  const start = useIpcCommand('revokeAll.start')
  const now = useNow(minute)
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set())
  const [confirms, setConfirms] = useState(false)
  const keys = (list.data?.keys ?? []).filter(isLiveKey)
  const chosen = keys.filter(({ id }) => !spared.has(id))
  const count = chosen.length
  const agents = chosen.filter(({ agent }) => agent !== null && agent.granted !== false).length
  const spare = (id: string, spares: boolean) => setSpared(new Set(spares ? [...spared, id] : [...spared].filter((one) => one !== id)))
  const failure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const phrase = revokeAllPhrase(count)
  const go = () =>
    start.mutate(
      { keyIds: chosen.map(({ id }) => id), typed: phrase },
      {
        onSuccess: (revokeAll) => {
          setConfirms(false)
          if (revokeAll.state !== 'idle') onStarted(revokeAll)
        },
      },
    )
  return (
    <>
      <Note tone="danger" title={keysText.forEmergencies}>
        {keysText.revokeKeysEffect}
      </Note>
      <UnreadNote unread={list.data?.unread ?? null} />
      <MissingNote missing={list.data?.missing} of="key" />
      <section className={cx(panelStyles.panel, revokeAllStyles.revokeAllList, revokeAllStyles.revokeAllChoose)} aria-label={keysText.keysToRevoke}>
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          <Checkbox checked={keys.length > 0 && count === keys.length} onChange={(all) => setSpared(new Set(all ? [] : keys.map(({ id }) => id)))}>
            {keysText.allActiveKeys}
          </Checkbox>
          <span className={panelStyles.count}>{keysText.keysChosen(count, keys.length)}</span>
          <span className={panelStyles.end}>
            {last === null ? null : (
              <Button size="sm" variant="ghost" icon="doc" onClick={onShowLast}>
                {keysText.lastReport}
              </Button>
            )}
            <Button onClick={() => navigate('keys')}>{keysText.keepKeys}</Button>
            <Button variant="danger-fill" icon="trash" disabled={count === 0} onClick={() => setConfirms(true)}>
              {keysText.reviewRevokingKeys(count)}
            </Button>
          </span>
        </div>
        {failure !== null ? (
          <FailurePanel failure={failure} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        ) : list.data === undefined ? (
          <Table label={keysText.keysToRevoke} busy>
            <SkeletonRows rows={4} columns={6} />
          </Table>
        ) : keys.length === 0 ? (
          <Empty icon="nokey" title={keysText.noActiveKeys}>
            {keysText.nothingToRevoke}
          </Empty>
        ) : (
          <Table label={keysText.keysToRevoke}>
            <thead>
              <tr>
                <HeadCell>{keysText.key}</HeadCell>
                <HeadCell>{keysText.scopes}</HeadCell>
                <HeadCell>{keysText.agent}</HeadCell>
                <HeadCell>{keysText.executor}</HeadCell>
                <HeadCell numeric>{keysText.expiresInHead}</HeadCell>
                <HeadCell numeric>{keysText.lastUsed}</HeadCell>
              </tr>
            </thead>
            <tbody>
              {keys.map((entry) => {
                const { leftMs } = lifeOf(entry, now)
                return (
                  <tr key={entry.id} className={spared.has(entry.id) ? revokeAllStyles.spared : undefined}>
                    <td>
                      <Checkbox checked={!spared.has(entry.id)} onChange={(takes) => spare(entry.id, !takes)}>
                        <span className={cx(keysStyles.keyName, revokeAllStyles.keyName, textStyles.name)}>
                          <span className={textStyles.cut} title={entry.label}>
                            {entry.label}
                          </span>
                          {entry.inUse ? <Chip tone="accent">{keysText.inUseByThisApp}</Chip> : null}
                        </span>
                        <CodeId className={textStyles.muted} id={entry.id} />
                      </Checkbox>
                    </td>
                    <td>{entry.scopes === null ? <span className={textStyles.muted}>{keysText.notGiven}</span> : <ScopeChips scopes={entry.scopes} />}</td>
                    <td>
                      {entry.agent === null ? (
                        <span className={textStyles.muted}>{keysText.none}</span>
                      ) : entry.agent.granted === false ? (
                        keysText.noGrant
                      ) : (
                        keysText.granted
                      )}
                    </td>
                    <td>{entry.executor === null ? <span className={textStyles.muted}>{keysText.notBound}</span> : <code>{entry.executor}</code>}</td>
                    <td className={textStyles.right}>{leftMs === null ? <span className={textStyles.muted}>—</span> : leftText(leftMs)}</td>
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
          title={keysText.revokeKeyCount(count)}
          effect={count === keys.length ? keysText.allKeysStop(agents) : keysText.someKeysStop(count, keys.length, agents)}
          name={phrase}
          confirmLabel={keysText.revokeChosenKeys(count)}
          keepLabel={keysText.keepKeys}
          busy={start.isPending}
          failure={start.error === null ? null : failureOf(start.error)}
          onClose={() => setConfirms(false)}
          onConfirm={go}
        />
      ) : null}
    </>
  )
}
