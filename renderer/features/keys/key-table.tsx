import type { ReactNode } from 'react'
import type { KeySummary } from '../../../shared/ipc/keys.ts'
import { unreachable } from '../../../shared/result.ts'
import { IconButton } from '../../ui/button.tsx'
import { Chip, ScopeChips } from '../../ui/chip.tsx'
import { Ring } from '../../ui/countdown-ring.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { Meter } from '../../ui/meter.tsx'
import { useNow } from '../../ui/now.tsx'
import { State } from '../../ui/state.tsx'
import { HeadCell, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { daysText, type KeyGroups, lifeOf } from './key-view.ts'

export interface KeyActions {
  readonly onCopy: (key: KeySummary) => void
  readonly onRotate: (key: KeySummary) => void
  readonly onRevoke: (key: KeySummary) => void
  readonly onUse: (key: KeySummary) => void
  readonly onStore: (key: KeySummary) => void
  readonly onCopyId: (key: KeySummary) => void
}

/** A copied secret, until the clipboard is cleared. */
export interface Copied {
  readonly keyId: string
  readonly clearsAtMs: number
}

const clipboardMs = 30_000

function Expiry({ entry, nowMs }: { readonly entry: KeySummary; readonly nowMs: number }) {
  const life = lifeOf(entry, nowMs)
  if (life.days === null)
    return (
      <span className="muted" title="The service did not say">
        —
      </span>
    )
  const tone = life.tone === 'danger' ? 'danger-t' : life.tone === 'warn' ? 'warn-t' : undefined
  return (
    <div className="k-e">
      <span className={tone}>
        {life.tone === 'quiet' ? null : <Icon name={life.tone === 'danger' ? 'warn' : 'clock'} size={12} />}
        <b>{daysText(life.days)}</b>
      </span>
      <span className="muted">
        <Time ms={entry.expiresAtMs} form="day" />
      </span>
      {life.share === null ? null : <Meter label={`Life left of ${entry.label}`} value={life.share} max={1} tone={life.tone} />}
    </div>
  )
}

function Agent({ agent }: { readonly agent: KeySummary['agent'] }) {
  if (agent === null) return <span className="muted">None</span>
  if (agent.granted === null) return <span className="muted">Not said</span>
  return agent.granted ? (
    <State tone="ok" icon="check">
      Granted
    </State>
  ) : (
    <State tone="warn" icon="warn">
      Grant ended
    </State>
  )
}

function Allowlist({ list }: { readonly list: readonly string[] | null }) {
  if (list === null) return <span className="muted">—</span>
  if (list.length === 0) {
    return (
      <State tone="warn" icon="globe">
        Any address
      </State>
    )
  }
  return (
    <span title={list.join(', ')}>
      {list.length} {list.length === 1 ? 'entry' : 'entries'}
    </span>
  )
}

function Secret({ secret, copied, nowMs }: { readonly secret: KeySummary['secret']; readonly copied: Copied | null; readonly nowMs: number }): ReactNode {
  if (copied !== null && copied.clearsAtMs > nowMs) {
    return (
      <span className="state busy k-copied" role="timer">
        <Ring share={(copied.clearsAtMs - nowMs) / clipboardMs} size={16} />
        Clears in {Math.ceil((copied.clearsAtMs - nowMs) / 1_000)} s
      </span>
    )
  }
  switch (secret) {
    case 'keychain':
      return (
        <span className="state">
          <Icon name="lock" />
          Keychain
        </span>
      )
    case 'memory':
      return (
        <State tone="warn" icon="hourglass">
          This run only
        </State>
      )
    case 'elsewhere':
      return (
        <State tone="off" icon="eye-off">
          Not here
        </State>
      )
    case 'removed':
      return <span className="muted">Removed</span>
    default:
      return unreachable(secret)
  }
}

function entriesFor(entry: KeySummary, actions: KeyActions): MenuEntry[] {
  const here = entry.secret === 'keychain' || entry.secret === 'memory'
  const live = entry.status === 'active' || entry.status === 'unknown'
  return [
    { label: 'Copy secret', icon: 'copy', disabled: !here || !live, onSelect: () => actions.onCopy(entry) },
    { label: 'Use for this app', icon: 'check', disabled: !here || !live || entry.inUse, onSelect: () => actions.onUse(entry) },
    ...(entry.secret === 'memory' ? [{ label: 'Store in the keychain', icon: 'lock' as const, onSelect: () => actions.onStore(entry) }] : []),
    { label: 'Copy id', icon: 'doc', onSelect: () => actions.onCopyId(entry) },
    { type: 'separator' },
    { label: 'Rotate', icon: 'rotate', disabled: !live, onSelect: () => actions.onRotate(entry) },
    { label: 'Revoke', icon: 'trash', danger: true, disabled: !live, onSelect: () => actions.onRevoke(entry) },
  ]
}

function RowActions({ entry, actions }: { readonly entry: KeySummary; readonly actions: KeyActions }) {
  return (
    <Menu
      label={`Actions for ${entry.label}`}
      align="end"
      entries={entriesFor(entry, actions)}
      trigger={(props) => <IconButton icon="more" size="xs" label={`Actions for ${entry.label}`} {...props} />}
    />
  )
}

interface KeyTableProps {
  readonly groups: KeyGroups
  readonly selected: string | null
  readonly copied: Copied | null
  readonly actions: KeyActions
}

/** The keys, active ones first; one that has ended keeps only what is still true of it. */
export function KeyTable({ groups, selected, copied, actions }: KeyTableProps) {
  const now = useNow(1_000)
  return (
    <Table label="Keys" className="k-t">
      <thead>
        <tr>
          <HeadCell>Key</HeadCell>
          <HeadCell>Scopes</HeadCell>
          <HeadCell>Expires</HeadCell>
          <HeadCell>Agent</HeadCell>
          <HeadCell>Executor</HeadCell>
          <HeadCell>Allowlist</HeadCell>
          <HeadCell>Secret</HeadCell>
          <HeadCell numeric>Last used</HeadCell>
          <HeadCell>
            <span className="sr">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {groups.active.map((entry) => (
          <tr key={entry.id} className={entry.id === selected ? 'is-on' : undefined} aria-selected={entry.id === selected || undefined}>
            <td>
              <span className="k-n name">
                {entry.label}
                {entry.inUse ? (
                  <Chip tone="accent" title="The key that this app reads and trades with">
                    In use
                  </Chip>
                ) : null}
              </span>
              <code className="sub">{entry.id}</code>
            </td>
            <td>{entry.scopes === null ? <span className="muted">Not said</span> : <ScopeChips scopes={entry.scopes} />}</td>
            <td>
              <Expiry entry={entry} nowMs={now} />
            </td>
            <td>
              <Agent agent={entry.agent} />
            </td>
            <td>{entry.executor === null ? <span className="muted">Not bound</span> : <code>{entry.executor}</code>}</td>
            <td>
              <Allowlist list={entry.allowlist} />
            </td>
            <td>
              <Secret secret={entry.secret} copied={copied?.keyId === entry.id ? copied : null} nowMs={now} />
            </td>
            <td className="r muted">
              <Time ms={entry.lastUsedAtMs} />
            </td>
            <td className="acts">
              <RowActions entry={entry} actions={actions} />
            </td>
          </tr>
        ))}
      </tbody>
      {groups.inactive.length === 0 ? null : (
        <tbody>
          <tr className="grp">
            <th colSpan={9} scope="colgroup">
              Not active
            </th>
          </tr>
          {groups.inactive.map((entry) => (
            <tr key={entry.id} className="gone">
              <td>
                <span className="k-n name">{entry.label}</span>
                <code className="sub">{entry.id}</code>
              </td>
              <td colSpan={5}>
                <State tone="off" icon={entry.status === 'expired' ? 'clock' : 'x'}>
                  {entry.status === 'expired' ? 'Expired' : 'Revoked'}
                  {entry.status === 'expired' && entry.expiresAtMs !== null ? (
                    <>
                      {' '}
                      <Time ms={entry.expiresAtMs} form="day" />
                    </>
                  ) : null}
                </State>
              </td>
              <td>
                <Secret secret={entry.secret} copied={null} nowMs={now} />
              </td>
              <td className="r">
                <Time ms={entry.lastUsedAtMs} />
              </td>
              <td className="acts">
                <RowActions entry={entry} actions={actions} />
              </td>
            </tr>
          ))}
        </tbody>
      )}
    </Table>
  )
}
