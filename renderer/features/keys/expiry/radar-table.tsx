import type { RadarItem } from '../../../../shared/ipc/keys/radar.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { radarActions, radarSources, radarStops, radarTitle } from '../../../../shared/text/radar-text.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { exactTime, relativeText } from '../../../kit/time/time.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { sheetPlace } from '../key-view.ts'
import styles from './radar.module.css'
import { endTone, kindWords, momentText, openReplacement, replacementText, sureWords } from './radar-axis.ts'

/** The element of an item's row, for what points at it. */
export const rowElementId = (itemId: string): string => `radar-${itemId}`

function End({ item, nowMs }: { readonly item: RadarItem; readonly nowMs: number }) {
  const { endsAtMs } = item
  if (endsAtMs === null) return <span className={textStyles.muted}>{keysText.notKnown}</span>
  const tone = endTone(item.kind, endsAtMs - nowMs)
  const alarming = tone === 'bad' || tone === 'over'
  return (
    <time dateTime={new Date(endsAtMs).toISOString()} title={exactTime(endsAtMs)}>
      <b className={alarming ? textStyles.danger : tone === 'warn' ? textStyles.warn : undefined}>
        {tone === 'calm' ? null : <Icon name={alarming ? 'warn' : 'clock'} size={12} />}
        {relativeText(endsAtMs, nowMs)}
      </b>
      <span className={tableStyles.sub}>{momentText(endsAtMs, nowMs)}</span>
    </time>
  )
}

/** What is planned in the place of a key that ends, and the way to plan it. */
function Successor({ item, replacement, nowMs }: { readonly item: RadarItem; readonly replacement: Replacement | null; readonly nowMs: number }) {
  const navigate = useNavigate()
  const { keyId, kind, level } = item
  if (kind !== 'key' || keyId === null) return <span className={textStyles.muted}>—</span>
  if (replacement !== null) {
    return (
      <Link to={sheetPlace(keyId, 'replace', 'radar')} className={styles.radarNext}>
        <Icon name="swap" size={14} />
        {replacementText(replacement, nowMs)}
        <span className={cx(tableStyles.sub, textStyles.name, textStyles.cut)}>{replacement.newKey?.label ?? replacement.plan.label}</span>
      </Link>
    )
  }
  if (level === 'ended') return <span className={textStyles.muted}>{keysText.none}</span>
  return (
    <Button size="xs" variant="ghost" icon="calendar" className={styles.radarPlan} onClick={() => navigate(sheetPlace(keyId, 'schedule', 'radar'))}>
      {keysText.schedule(<span className={textStyles.screenReaderOnly}> {keysText.aReplacementOf(radarTitle(item))}</span>)}
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
        <span className={styles.radarWhat}>
          <span className={cx(styles.kindMark, styles[item.kind])}>
            <Icon name={icon} size={14} />
          </span>
          <span className={styles.radarTitle}>
            {item.keyId === null ? (
              <b className={textStyles.name}>{radarTitle(item)}</b>
            ) : (
              <Link to={`keys/${item.keyId}`} className={textStyles.name} title={radarTitle(item)}>
                {radarTitle(item)}
              </Link>
            )}
            <span className={tableStyles.sub}>{one}</span>
          </span>
        </span>
      </td>
      <td>
        <End item={item} nowMs={nowMs} />
      </td>
      <td className={styles.radarWrap}>
        <Chip tone={item.sure === 'exact' ? 'neutral' : 'line'}>{sureWords[item.sure]}</Chip>
        <span className={tableStyles.sub}>{radarSources[item.source]}</span>
      </td>
      <td className={cx(styles.radarWrap, textStyles.secondary)}>{radarStops[item.kind]}</td>
      <td>
        <Successor item={item} replacement={replacement} nowMs={nowMs} />
      </td>
      <td className={tableStyles.actions}>
        {item.action === null ? null : (
          <Button size="xs" onClick={() => navigate(placeOf(item))}>
            {radarActions[item.action.kind]}
            {item.kind === 'sign_in' ? null : <span className={textStyles.screenReaderOnly}> {radarTitle(item)}</span>}
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
    <Table label={keysText.ends2} className={styles.endTable}>
      <thead>
        <tr>
          <HeadCell>{keysText.whatEnds}</HeadCell>
          <HeadCell>{keysText.when}</HeadCell>
          <HeadCell>{keysText.howThatIsKnown}</HeadCell>
          <HeadCell>{keysText.whatStopsThen}</HeadCell>
          <HeadCell>{keysText.replacement}</HeadCell>
          <HeadCell>
            <span className={textStyles.screenReaderOnly}>{keysText.actions}</span>
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
