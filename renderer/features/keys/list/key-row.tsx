import { memo, type ReactNode } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { minute } from '../../../../shared/time.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Chip, ScopeChips } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Meter } from '../../../kit/layout/meter.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import notesStyles from '../../../kit/layout/notes.module.css'
import panelStyles from '../../../kit/layout/panel.module.css'
import { State } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { Menu, type MenuEntry } from '../../../kit/overlay/menu.tsx'
import textStyles from '../../../kit/text.module.css'
import { Ring } from '../../../kit/time/countdown-ring.tsx'
import { Time, useNow } from '../../../kit/time/time.tsx'
import { CodeId, VisibleText } from '../../../kit/visible-text.tsx'
import { SecretPlace } from '../../../parts/secret-place.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { searchText } from '../../../text/en/search.en.tsx'
import { type KeyOrder, type KeySection, leftText, lifeOf } from '../key-view.ts'
import styles from '../keys.module.css'

export interface KeyActions {
  readonly onCopy: (key: KeySummary) => void
  /** Opens the key's own page if `action` is `null`, otherwise the sheet of that name over the list. */
  readonly onOpen: (key: KeySummary, action: 'extend' | 'replace' | 'rotate' | 'revoke' | null) => void
  readonly onUse: (key: KeySummary) => void
  readonly onStore: (key: KeySummary) => void
  readonly onCopyId: (key: KeySummary) => void
}

export interface Copied {
  readonly keyId: string
  readonly clearsAtMs: number
}

const clipboardMs = 30_000

function Expiry({ entry }: { readonly entry: KeySummary }) {
  const life = lifeOf(entry, useNow(minute))
  if (life.leftMs === null)
    return (
      <span className={textStyles.muted} title={keysText.serviceDidNotSay}>
        —
      </span>
    )
  const tone = life.tone === 'danger' ? textStyles.danger : life.tone === 'warn' ? textStyles.warn : undefined
  return (
    <div className={styles.keyEnd}>
      <span className={tone}>
        {life.tone === 'quiet' ? null : <Icon name={life.tone === 'danger' ? 'warn' : 'clock'} size={12} />}
        <b>{leftText(life.leftMs)}</b>
      </span>
      <span className={textStyles.muted}>
        <Time ms={entry.expiresAtMs} form="day" />
      </span>
      {life.share === null ? null : <Meter label={keysText.timeLeftFor(entry.label)} value={life.share} max={1} tone={life.tone} />}
    </div>
  )
}

function Agent({ agent }: { readonly agent: KeySummary['agent'] }) {
  if (agent === null) return <span className={textStyles.muted}>{keysText.none}</span>
  if (agent.granted === null) return <span className={textStyles.muted}>{keysText.notGiven}</span>
  return agent.granted ? (
    <State tone="ok" icon="check">
      {keysText.granted}
    </State>
  ) : (
    <State tone="warn" icon="warn">
      {keysText.grantEnded}
    </State>
  )
}

function Allowlist({ list }: { readonly list: readonly string[] | null }) {
  if (list === null) return <span className={textStyles.muted}>—</span>
  if (list.length === 0) {
    return (
      <State tone="warn" icon="globe">
        {keysText.anyAddress}
      </State>
    )
  }
  return <span title={list.join(', ')}>{keysText.allowlistEntryCount(list.length)}</span>
}

/** Counts down until the clipboard is cleared. A component of its own, so that the list does not redraw each second. */
function Clears({ copied, children }: { readonly copied: Copied; readonly children: ReactNode }) {
  const now = useNow(1_000)
  if (copied.clearsAtMs <= now) return children
  return (
    <span className={cx(notesStyles.state, notesStyles.busy, styles.keyCopied)} role="timer">
      <Ring share={(copied.clearsAtMs - now) / clipboardMs} size={16} />
      {keysText.clearsIn(Math.ceil((copied.clearsAtMs - now) / 1_000))}
    </span>
  )
}

const canCopy = (entry: KeySummary): boolean => (entry.secret === 'keychain' || entry.secret === 'memory') && isLiveKey(entry)

function entriesFor(entry: KeySummary, actions: KeyActions): MenuEntry[] {
  const live = isLiveKey(entry)
  return [
    { label: keysText.open, icon: 'key', onSelect: () => actions.onOpen(entry, null) },
    { label: keysText.copySecret, icon: 'copy', disabled: !canCopy(entry), onSelect: () => actions.onCopy(entry) },
    { label: keysText.useInThisApp, icon: 'check', disabled: !canCopy(entry) || entry.inUse, onSelect: () => actions.onUse(entry) },
    ...(entry.secret === 'memory' ? [{ label: keysText.storeInKeychain, icon: 'lock' as const, onSelect: () => actions.onStore(entry) }] : []),
    { label: keysText.copyId, icon: 'doc', onSelect: () => actions.onCopyId(entry) },
    { type: 'separator' },
    { label: keysText.extend, icon: 'clock', disabled: !live, onSelect: () => actions.onOpen(entry, 'extend') },
    { label: keysText.rotate, icon: 'rotate', disabled: !live, onSelect: () => actions.onOpen(entry, 'rotate') },
    { label: keysText.replace, icon: 'key', disabled: !live, onSelect: () => actions.onOpen(entry, 'replace') },
    { label: keysText.revoke, icon: 'trash', danger: true, disabled: !live, onSelect: () => actions.onOpen(entry, 'revoke') },
  ]
}

function RowActions({ entry, actions }: { readonly entry: KeySummary; readonly actions: KeyActions }) {
  return (
    <>
      {canCopy(entry) ? <IconButton icon="copy" size="xs" label={searchText.copySecretOf(entry.label)} onClick={() => actions.onCopy(entry)} /> : null}
      <Menu
        label={keysText.actionsFor(entry.label)}
        align="end"
        entries={entriesFor(entry, actions)}
        trigger={(props) => <IconButton icon="more" size="xs" label={keysText.actionsFor(entry.label)} {...props} />}
      />
    </>
  )
}

/** Tooltip for a key whose scopes the service does not report. The row then shows the scopes that this app requested. */
const scopesAsked = keysText.scopesAsRequested

interface RowProps {
  readonly entry: KeySummary
  readonly actions: KeyActions
}

/** The row of a key that can still be used. Redraws only when the key changes or when its secret was copied. */
export const ActiveRow = memo(function ActiveRow({ entry, actions, copied }: RowProps & { readonly copied: Copied | null }) {
  const secret = <SecretPlace secret={entry.secret} />
  return (
    <tr>
      <td>
        <span className={cx(styles.keyName, textStyles.name)}>
          <Link to={`keys/${entry.id}`} title={entry.label}>
            <VisibleText text={entry.label} />
          </Link>
          {entry.inUse ? (
            <Chip tone="accent" title={keysText.inUseHint}>
              {keysText.inUse}
            </Chip>
          ) : null}
        </span>
        <CodeId className={tableStyles.sub} id={entry.id} />
      </td>
      <td title={entry.scopesFrom === 'asked' ? scopesAsked : undefined}>
        {entry.scopes === null ? <span className={textStyles.muted}>{keysText.notGiven}</span> : <ScopeChips scopes={entry.scopes} />}
      </td>
      <td>
        <Expiry entry={entry} />
      </td>
      <td>
        <Agent agent={entry.agent} />
      </td>
      <td>{entry.executor === null ? <span className={textStyles.muted}>{keysText.notBound}</span> : <CodeId id={entry.executor} />}</td>
      <td>
        <Allowlist list={entry.allowlist} />
      </td>
      <td>{copied === null ? secret : <Clears copied={copied}>{secret}</Clears>}</td>
      <td className={cx(textStyles.right, textStyles.muted)}>
        <Time ms={entry.lastUsedAtMs} />
      </td>
      <td className={tableStyles.actions}>
        <RowActions entry={entry} actions={actions} />
      </td>
    </tr>
  )
})

/** The row of a key that is revoked or expired, with only the facts that still apply. */
export const EndedRow = memo(function EndedRow({ entry, actions }: RowProps) {
  const expired = entry.status === 'expired'
  return (
    <tr className={styles.gone}>
      <td>
        <span className={cx(styles.keyName, textStyles.name)}>
          <Link to={`keys/${entry.id}`} title={entry.label}>
            <VisibleText text={entry.label} />
          </Link>
        </span>
        <CodeId className={tableStyles.sub} id={entry.id} />
      </td>
      <td />
      <td>
        <State tone="off" icon={expired ? 'clock' : 'x'}>
          {!expired ? keysText.revoked : entry.expiresAtMs === null ? keysText.expired : keysText.expiredOn(<Time ms={entry.expiresAtMs} form="day" />)}
        </State>
      </td>
      <td />
      <td />
      <td />
      <td>
        <SecretPlace secret={entry.secret} />
      </td>
      <td className={textStyles.right}>
        <Time ms={entry.lastUsedAtMs} />
      </td>
      <td className={tableStyles.actions}>
        <RowActions entry={entry} actions={actions} />
      </td>
    </tr>
  )
})

const columns = 9

interface KeyTableProps {
  readonly sections: readonly KeySection[]
  readonly order: KeyOrder
  readonly onOrder: (by: KeyOrder['by']) => void
  readonly copied: Copied | null
  /** The actions of the rows. The caller must memoise them; otherwise every row redraws. */
  readonly actions: KeyActions
}

/** The table of keys, in sections: active keys first. */
export function KeyTable({ sections, order, onOrder, copied, actions }: KeyTableProps) {
  // `aria-sort` is `ascending` for the soonest expiry first, for names from A to Z, and for the key that was unused longest first.
  const sort = (by: KeyOrder['by']) =>
    order.by !== by ? ('none' as const) : order.reversed === (by === 'used') ? ('ascending' as const) : ('descending' as const)
  const head = (by: KeyOrder['by']) => ({ sort: sort(by), onSort: () => onOrder(by) })
  return (
    <Table label={keysText.keys} className={styles.keyTable}>
      <thead>
        <tr>
          <HeadCell {...head('name')}>{keysText.key}</HeadCell>
          <HeadCell>{keysText.scopes}</HeadCell>
          <HeadCell {...head('expiry')}>{keysText.expires}</HeadCell>
          <HeadCell>{keysText.agent}</HeadCell>
          <HeadCell>{keysText.executor}</HeadCell>
          <HeadCell>{keysText.allowlist}</HeadCell>
          <HeadCell>{keysText.secret}</HeadCell>
          <HeadCell numeric {...head('used')}>
            {keysText.lastUsed}
          </HeadCell>
          <HeadCell>
            <span className={textStyles.screenReaderOnly}>{keysText.actions}</span>
          </HeadCell>
        </tr>
      </thead>
      {sections.map((section) => (
        <tbody key={section.id}>
          {section.title === null ? null : (
            <tr className={tableStyles.group} data-part="group">
              <th colSpan={columns} scope="colgroup">
                <span className={textStyles.name}>{section.title}</span> <span className={panelStyles.count}>{section.keys.length}</span>
              </th>
            </tr>
          )}
          {section.keys.map((entry) =>
            section.active ? (
              <ActiveRow key={entry.id} entry={entry} actions={actions} copied={copied?.keyId === entry.id ? copied : null} />
            ) : (
              <EndedRow key={entry.id} entry={entry} actions={actions} />
            ),
          )}
        </tbody>
      ))}
    </Table>
  )
}
