import { useId, useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding, LeakScan, LeakState } from '../../../../shared/ipc/keys/leaks.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import buttonStyles from '../../../kit/button.module.css'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Empty } from '../../../kit/layout/placeholders.tsx'
import { State } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { VisibleText } from '../../../kit/visible-text.tsx'
import partsStyles from '../../../parts/parts.module.css'
import { keysText } from '../../../text/en/keys.en.tsx'
import keysStyles from '../keys.module.css'
import { findingState, kindText, lengthText, outcomeText, readText, skippedText, sureWords, unreadWord } from './leak-words.ts'
import leaksStyles from './leaks.module.css'

function Unread({ scan, limits }: { readonly scan: LeakScan; readonly limits: LeakState['limits'] }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const { unread, unreadTotal } = scan
  if (unreadTotal === 0) return null
  return (
    <div className={cx(partsStyles.moreFields, leaksStyles.leakUnread)}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name="chevron-right" size={14} />
        {keysText.unreadCount(unreadTotal)}
      </button>
      {open ? (
        <section id={id} aria-label={keysText.notRead}>
          <dl>
            {unread.map(({ path, why }) => (
              <div key={path}>
                <dt>{unreadWord(why, limits)}</dt>
                <dd>
                  <VisibleText text={path} />
                </dd>
              </div>
            ))}
          </dl>
          {unreadTotal > unread.length ? <p>{keysText.moreUnread(unreadTotal - unread.length)}</p> : null}
        </section>
      ) : null}
    </div>
  )
}

/** Warns about what the scan's result does not show, such as secrets whose owner is unknown. */
function Warnings({ scan, findings, keys }: { readonly scan: LeakScan; readonly findings: readonly LeakFinding[]; readonly keys: readonly KeySummary[] }) {
  const live = findings.some(
    (finding) =>
      findingState(
        finding,
        keys.find(({ id }) => id === finding.key?.id),
      ).live,
  )
  const strange = findings.filter(({ owner }) => owner === 'unknown').length
  const { missing } = scan.keys
  return (
    <>
      {missing === 0 ? null : (
        <Note tone="warn" title={keysText.keychainRefusedSecrets(missing)}>
          {keysText.keychainRefusedDetail}
        </Note>
      )}
      {live ? (
        <Note tone="danger" title={keysText.filesExposeKeys}>
          {keysText.filesExposeKeysAdvice}
        </Note>
      ) : null}
      {strange === 0 ? null : (
        <Note tone="neutral" title={keysText.foundNotStoredHere(strange)}>
          {keysText.importToIdentify}
        </Note>
      )}
    </>
  )
}

function At({ path }: { readonly path: string }) {
  return (
    <code className={textStyles.cut} title={path}>
      <VisibleText text={path} />
    </code>
  )
}

function Nothing({ scan: { state, files, keys } }: { readonly scan: LeakScan }) {
  return files === 0 ? (
    <Empty icon="file" title={keysText.noTextFiles} level={3}>
      {keysText.noTextFilesAdvice}
    </Empty>
  ) : (
    <Empty icon={state === 'done' ? 'shield-check' : 'pause'} title={state === 'done' ? keysText.noKeysFound : keysText.noKeysFoundYet} level={3}>
      {keys.compared === 0 ? keysText.searchedForOthers : keysText.searchedForOwn(keys.compared)}
    </Empty>
  )
}

interface ResultProps {
  readonly scan: LeakScan
  readonly limits: LeakState['limits']
  readonly findings: readonly LeakFinding[]
  readonly keys: readonly KeySummary[]
  readonly onRevoke: (finding: LeakFinding) => void
}

/** A running or finished scan: what was read, found and skipped. */
export function LeakResult({ scan, limits, findings, keys, onRevoke }: ResultProps) {
  const running = scan.state === 'running'
  const skipped = skippedText(scan)
  return (
    <>
      {running ? null : <Warnings scan={scan} findings={findings} keys={keys} />}
      <section className={cx(panelStyles.panel, leaksStyles.leakResult)} aria-label={keysText.result}>
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          {running ? <span className={buttonStyles.spin} aria-hidden="true" /> : null}
          <h2>
            <span role="status">{outcomeText(scan, limits)}</span>
          </h2>
          <span className={cx(panelStyles.end, panelStyles.count)}>
            {scan.endedAtMs === null ? keysText.scanRead(readText(scan)) : keysText.scanReadIn(readText(scan), lengthText(scan.endedAtMs - scan.startedAtMs))}
          </span>
        </div>
        {findings.length > 0 ? (
          <LeakTable findings={findings} keys={keys} onRevoke={onRevoke} />
        ) : running ? (
          <p className={leaksStyles.leakNone}>{keysText.findingsAppearHere}</p>
        ) : (
          <Nothing scan={scan} />
        )}
        {running ? (
          <div className={panelStyles.panelFoot}>{scan.at === null ? keysText.starting : keysText.scanningAt(<At path={scan.at} />)}</div>
        ) : skipped === null && scan.unreadTotal === 0 ? null : (
          <div className={cx(panelStyles.panelFoot, leaksStyles.leakFoot)}>
            {skipped === null ? null : <span>{keysText.skippedFiles(skipped)}</span>}
            <Unread scan={scan} limits={limits} />
          </div>
        )}
      </section>
    </>
  )
}

const ownerWords: Readonly<Record<LeakFinding['owner'], string>> = {
  key: keysText.yourKey,
  sign_in: keysText.yourOwnSignIn,
  other_wallet: keysText.otherWalletOfYours,
  unknown: keysText.notStoredHere,
}

/** The name of the key whose secret was found. If the app doesn't know the key, says what it knows about the secret. */
function Whose({ finding }: { readonly finding: LeakFinding }) {
  const { key, owner } = finding
  if (key !== null)
    return (
      <span className={cx(keysStyles.keyName, leaksStyles.keyName, textStyles.name)}>
        <Link to={`keys/${key.id}`} title={key.label}>
          {key.label}
        </Link>
      </span>
    )
  return <span className={textStyles.name}>{ownerWords[owner]}</span>
}

interface RowProps {
  readonly finding: LeakFinding
  readonly entry: KeySummary | undefined
  readonly onRevoke: (finding: LeakFinding) => void
}

function Row({ finding, entry, onRevoke }: RowProps) {
  const toast = useToast()
  const show = useIpcCommand('leaks.showFile')
  const { folder, name, path, line, column, ignored, mask, sure, where, object } = finding
  const state = findingState(finding, entry)
  return (
    <tr>
      <td className={leaksStyles.leakPlace}>
        <span>
          <code className={textStyles.cut} title={where === 'file' ? keysText.lineColumn(path, line, column) : path}>
            <VisibleText text={name === '' ? folder : name} />
            {where === 'file' ? `:${line}` : ''}
          </code>
          {where === 'name' ? <Chip title={keysText.secretInFileName}>{keysText.inFileName}</Chip> : null}
          {object === null ? null : <Chip title={`git log --all --find-object=${object}`}>{keysText.historyObject(object.slice(0, 8))}</Chip>}
          {ignored ? <Chip title={keysText.listedInGitignore}>{keysText.ignored}</Chip> : null}
        </span>
        <span className={cx(tableStyles.sub, textStyles.cut)} title={folder}>
          <VisibleText text={folder} />
        </span>
      </td>
      <td>
        <Whose finding={finding} />
        <span className={tableStyles.sub}>
          {kindText(finding)} <code>{mask}</code>
        </span>
      </td>
      <td>
        {sureWords[sure].word}
        <span className={tableStyles.sub}>{sureWords[sure].why}</span>
      </td>
      <td>
        <State tone={state.tone} icon={state.icon}>
          {state.word}
        </State>
      </td>
      <td className={tableStyles.actions}>
        {state.live ? (
          <Button size="xs" variant="danger" icon="trash" onClick={() => onRevoke(finding)}>
            {keysText.revoke}
          </Button>
        ) : null}
        <IconButton
          icon="folder"
          size="xs"
          label={keysText.showFile}
          busy={show.isPending}
          onClick={() =>
            show.mutate(
              { findingId: finding.id },
              {
                onError: () => toast({ tone: 'warn', title: keysText.fileNotFound, text: keysText.fileNotFoundDetail, action: null }),
              },
            )
          }
        />
        <CopyButton text={path} what={keysText.path} />
      </td>
    </tr>
  )
}

interface LeakTableProps {
  readonly findings: readonly LeakFinding[]
  readonly keys: readonly KeySummary[]
  readonly onRevoke: (finding: LeakFinding) => void
}

/** Lists each place that contains a secret: the key, how certain the match is, what a thief could do, and what to do. */
function LeakTable({ findings, keys, onRevoke }: LeakTableProps) {
  return (
    <Table label={keysText.foundKeys} className={leaksStyles.leakTable}>
      <thead>
        <tr>
          <HeadCell>{keysText.where}</HeadCell>
          <HeadCell>{keysText.foundOwner}</HeadCell>
          <HeadCell>{keysText.certainty}</HeadCell>
          <HeadCell>{keysText.now}</HeadCell>
          <HeadCell>
            <span className={textStyles.screenReaderOnly}>{keysText.actions}</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <Row key={finding.id} finding={finding} entry={keys.find(({ id }) => id === finding.key?.id)} onRevoke={onRevoke} />
        ))}
      </tbody>
    </Table>
  )
}
