import type { ExpiryItem } from '../../../../shared/ipc/keys/expiry.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { expiryAction, expirySource, expiryStops, expiryTitle } from '../../../../shared/text/expiry-text.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { momentText, relativeText, titleTime } from '../../../kit/time/time.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { sheetPlace } from '../key-view.ts'
import styles from './expiry.module.css'
import { endTone, kindWords, openReplacement, replacementText, sureWords } from './expiry-axis.ts'

/** The HTML id of an item's table row, so that links can lead to it. */
export const rowElementId = (itemId: string): string => `expiry-${itemId}`

function End({ item, nowMs }: { readonly item: ExpiryItem; readonly nowMs: number }) {
  const { endsAtMs } = item
  if (endsAtMs === null) return <span className={textStyles.muted}>{keysText.notKnown}</span>
  const tone = endTone(item.kind, endsAtMs - nowMs)
  const alarming = tone === 'bad' || tone === 'over'
  return (
    <time dateTime={new Date(endsAtMs).toISOString()} title={titleTime(endsAtMs)}>
      <b className={alarming ? textStyles.danger : tone === 'warn' ? textStyles.warn : undefined}>
        {tone === 'calm' ? null : <Icon name={alarming ? 'warn' : 'clock'} size={12} />}
        {relativeText(endsAtMs, nowMs)}
      </b>
      <span className={tableStyles.sub}>{momentText(endsAtMs, nowMs)}</span>
    </time>
  )
}

/** In the row of an expiring key: its planned replacement, or a link to plan one. */
function Successor({ item, replacement, nowMs }: { readonly item: ExpiryItem; readonly replacement: Replacement | null; readonly nowMs: number }) {
  const navigate = useNavigate()
  const { keyId, kind, level } = item
  if (kind !== 'key' || keyId === null) return <span className={textStyles.muted}>—</span>
  if (replacement !== null) {
    return (
      <Link to={sheetPlace(keyId, 'replace', 'expiry')} className={styles.expiryNext}>
        <Icon name="swap" size={14} />
        {replacementText(replacement, nowMs)}
        <span className={cx(tableStyles.sub, textStyles.name, textStyles.cut)}>{replacement.newKey?.label ?? replacement.plan.label}</span>
      </Link>
    )
  }
  if (level === 'ended') return <span className={textStyles.muted}>{keysText.none}</span>
  return (
    <Button
      size="xs"
      variant="ghost"
      icon="calendar"
      className={styles.expiryPlan}
      aria-label={keysText.scheduleReplacementOf(expiryTitle(item))}
      onClick={() => navigate(sheetPlace(keyId, 'schedule', 'expiry'))}
    >
      {keysText.schedule}
    </Button>
  )
}

/** The address that an item's action opens. An action on a key opens its sheet over the expiry page. */
function placeOf({ keyId, action }: ExpiryItem): string {
  switch (action?.kind) {
    case 'extend':
      return keyId === null ? action.to : sheetPlace(keyId, 'extend', 'expiry')
    case 'renew_grant':
      return keyId === null ? action.to : sheetPlace(keyId, 'grant', 'expiry')
    case 'sign_in':
    case 'show_key':
      return action.to
    case undefined:
      return 'keys'
  }
}

function ItemRow({ item, replacement, nowMs }: { readonly item: ExpiryItem; readonly replacement: Replacement | null; readonly nowMs: number }) {
  const navigate = useNavigate()
  const { one, icon } = kindWords[item.kind]
  return (
    <tr id={rowElementId(item.id)} tabIndex={-1}>
      <td>
        <span className={styles.expiryWhat}>
          <span className={cx(styles.kindMark, styles[item.kind])}>
            <Icon name={icon} size={14} />
          </span>
          <span className={styles.expiryTitle}>
            {item.keyId === null ? (
              <b className={textStyles.name}>{expiryTitle(item)}</b>
            ) : (
              <Link to={`keys/${item.keyId}`} className={textStyles.name} title={expiryTitle(item)}>
                {expiryTitle(item)}
              </Link>
            )}
            <span className={tableStyles.sub}>{one}</span>
          </span>
        </span>
      </td>
      <td>
        <End item={item} nowMs={nowMs} />
      </td>
      <td>
        <Chip tone={item.sure === 'exact' ? 'neutral' : 'line'} title={expirySource(item.source)}>
          {sureWords[item.sure]}
        </Chip>
      </td>
      <td>
        <Successor item={item} replacement={replacement} nowMs={nowMs} />
      </td>
      <td className={tableStyles.actions}>
        {item.action === null ? null : (
          <Button size="xs" onClick={() => navigate(placeOf(item))}>
            {expiryAction(item.action.kind)}
            {item.kind === 'sign_in' ? null : <span className={textStyles.screenReaderOnly}> {expiryTitle(item)}</span>}
          </Button>
        )}
      </td>
    </tr>
  )
}

interface ExpiryTableProps {
  /** The items of the table's rows: soonest expiry first, unknown ones last. */
  readonly items: readonly ExpiryItem[]
  readonly replacements: readonly Replacement[]
  readonly nowMs: number
}

interface Entry {
  readonly name: string
  readonly text: string
}

const Legend = ({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    <dl>
      {entries.map(({ name, text }) => (
        <div key={text}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </section>
)

/**
 * The legend below the table. For each kind of item in the table, explains what stops working when an item expires, and how the app knows the
 * date.
 */
function Legends({ items }: { readonly items: readonly ExpiryItem[] }) {
  const kinds = [...new Set(items.map(({ kind }) => kind))]
  const sources = [...new Map(items.map(({ source, sure }) => [source, sure]))]
  return (
    <div className={styles.expiryLegend}>
      <Legend title={keysText.whatStops} entries={kinds.map((kind) => ({ name: kindWords[kind].one, text: expiryStops(kind) }))} />
      <Legend title={keysText.source} entries={sources.map(([source, sure]) => ({ name: sureWords[sure], text: expirySource(source) }))} />
    </div>
  )
}

/** The table of everything that expires: when, how certain the date is, and what to do. The legend below explains what stops working. */
export function ExpiryTable({ items, replacements, nowMs }: ExpiryTableProps) {
  return (
    <>
      <Table label={keysText.expiryDates} className={styles.endTable}>
        <thead>
          <tr>
            <HeadCell>{keysText.item}</HeadCell>
            <HeadCell>{keysText.when}</HeadCell>
            <HeadCell>{keysText.source}</HeadCell>
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
      <Legends items={items} />
    </>
  )
}
