import type { RadarItem } from '../../../../shared/ipc/keys/radar.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { radarActions, radarSources, radarStops, radarTitle } from '../../../../shared/text/radar-text.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { exactTime, relativeText } from '../../../kit/time/time-text.ts'
import { sheetPlace } from '../sheet-place.ts'
import { endTone } from './radar-axis.ts'
import { kindWords, momentText, openReplacement, replacementText, sureWords } from './radar-words.ts'

/** The element of an item's row, for what points at it. */
export const rowElementId = (itemId: string): string => `radar-${itemId}`

function End({ item, nowMs }: { readonly item: RadarItem; readonly nowMs: number }) {
  const { endsAtMs } = item
  if (endsAtMs === null) return <span className="muted">Not known</span>
  const tone = endTone(item.kind, endsAtMs - nowMs)
  const alarming = tone === 'bad' || tone === 'over'
  return (
    <time dateTime={new Date(endsAtMs).toISOString()} title={exactTime(endsAtMs)}>
      <b className={alarming ? 'danger-t' : tone === 'warn' ? 'warn-t' : undefined}>
        {tone === 'calm' ? null : <Icon name={alarming ? 'warn' : 'clock'} size={12} />}
        {relativeText(endsAtMs, nowMs)}
      </b>
      <span className="sub">{momentText(endsAtMs, nowMs)}</span>
    </time>
  )
}

/** What is planned in the place of a key that ends, and the way to plan it. */
function Successor({ item, replacement, nowMs }: { readonly item: RadarItem; readonly replacement: Replacement | null; readonly nowMs: number }) {
  const navigate = useNavigate()
  const { keyId, kind, level } = item
  if (kind !== 'key' || keyId === null) return <span className="muted">—</span>
  if (replacement !== null) {
    return (
      <Link to={sheetPlace(keyId, 'replace', 'radar')} className="rd-next">
        <Icon name="swap" size={14} />
        {replacementText(replacement, nowMs)}
        <span className="sub name cut">{replacement.newKey?.label ?? replacement.plan.label}</span>
      </Link>
    )
  }
  if (level === 'ended') return <span className="muted">None</span>
  return (
    <Button size="xs" variant="ghost" icon="calendar" className="rd-plan" onClick={() => navigate(sheetPlace(keyId, 'schedule', 'radar'))}>
      Schedule<span className="sr"> a replacement of {radarTitle(item)}</span>
    </Button>
  )
}

/** Where an item's one action leads; the sheet of a key comes back to the radar. */
function placeOf({ keyId, action }: RadarItem): string {
  switch (action?.kind) {
    case 'extend':
      return keyId === null ? action.to : sheetPlace(keyId, 'extend', 'radar')
    case 'renew_grant':
      return keyId === null ? action.to : sheetPlace(keyId, 'grant', 'radar')
    case 'sign_in':
    case 'show_key':
      return action.to
    case undefined:
      return 'keys'
  }
}

function ItemRow({ item, replacement, nowMs }: { readonly item: RadarItem; readonly replacement: Replacement | null; readonly nowMs: number }) {
  const navigate = useNavigate()
  const { one, icon } = kindWords[item.kind]
  return (
    <tr id={rowElementId(item.id)} tabIndex={-1}>
      <td>
        <span className="rd-what">
          <span className={`rd-i of-${item.kind}`}>
            <Icon name={icon} size={14} />
          </span>
          <span className="rd-title">
            {item.keyId === null ? (
              <b className="name">{radarTitle(item)}</b>
            ) : (
              <Link to={`keys/${item.keyId}`} className="name" title={radarTitle(item)}>
                {radarTitle(item)}
              </Link>
            )}
            <span className="sub">{one}</span>
          </span>
        </span>
      </td>
      <td>
        <End item={item} nowMs={nowMs} />
      </td>
      <td className="rd-wrap">
        <Chip tone={item.sure === 'exact' ? 'neutral' : 'line'}>{sureWords[item.sure]}</Chip>
        <span className="sub">{radarSources[item.source]}</span>
      </td>
      <td className="rd-wrap t2">{radarStops[item.kind]}</td>
      <td>
        <Successor item={item} replacement={replacement} nowMs={nowMs} />
      </td>
      <td className="acts">
        {item.action === null ? null : (
          <Button size="xs" onClick={() => navigate(placeOf(item))}>
            {radarActions[item.action.kind]}
            {item.kind === 'sign_in' ? null : <span className="sr"> {radarTitle(item)}</span>}
          </Button>
        )}
      </td>
    </tr>
  )
}

interface RadarTableProps {
  /** Soonest end first, unknown ends last. */
  readonly items: readonly RadarItem[]
  readonly replacements: readonly Replacement[]
  readonly nowMs: number
}

/** Every end in words: when, how that is known, what stops then, and what to do about it. */
export function RadarTable({ items, replacements, nowMs }: RadarTableProps) {
  return (
    <Table label="Ends" className="rd-t">
      <thead>
        <tr>
          <HeadCell>What ends</HeadCell>
          <HeadCell>When</HeadCell>
          <HeadCell>How that is known</HeadCell>
          <HeadCell>What stops then</HeadCell>
          <HeadCell>Replacement</HeadCell>
          <HeadCell>
            <span className="sr">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <ItemRow
            key={item.id}
            item={item}
            replacement={item.kind === 'key' && item.keyId !== null ? openReplacement(replacements, item.keyId) : null}
            nowMs={nowMs}
          />
        ))}
      </tbody>
    </Table>
  )
}
