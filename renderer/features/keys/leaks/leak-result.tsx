import { useId, useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding, LeakScan, LeakState } from '../../../../shared/ipc/keys/leaks.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import buttonStyles from '../../../kit/button.module.css'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Empty } from '../../../kit/layout/empty.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { State } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { VisibleText } from '../../../kit/visible-text.tsx'
import partsStyles from '../../../parts/parts.module.css'
import keysStyles from '../keys.module.css'
import { findingState, kindText, lengthText, numberText, outcomeText, readText, skippedText, sureWords, unreadWord } from './leak-words.ts'
import leaksStyles from './leaks.module.css'

/** Files and folders that could not be read, folded. */
function Unread({ scan, limits }: { readonly scan: LeakScan; readonly limits: LeakState['limits'] }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const { unread, unreadTotal } = scan
  if (unreadTotal === 0) return null
  return (
    <div className={cx(partsStyles.moreFields, leaksStyles.leakUnread)}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name="chevron-right" size={14} />
        {numberText(unreadTotal)} could not be read, or not to the end
      </button>
      {open ? (
        <section id={id} aria-label="Not read">
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
          {unreadTotal > unread.length ? <p>And {numberText(unreadTotal - unread.length)} more.</p> : null}
        </section>
      ) : null}
    </div>
  )
}

/** What to know before one relies on the result. */
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
        <Note tone="warn" title={`The keychain did not give ${missing === 1 ? 'one secret' : `${numberText(missing)} secrets`}.`}>
          Such a key is found by its looks only, without its name. Unlock the keychain and scan again.
        </Note>
      )}
      {live ? (
        <Note tone="danger" title="Whoever can read these files can use the keys.">
          Revoking ends a key and its bots at once. To keep a bot running, replace its key first. Then take the text out of the file.
        </Note>
      ) : null}
      {strange === 0 ? null : (
        <Note tone="neutral" title={`${numberText(strange)} of them ${strange === 1 ? 'is' : 'are'} not held on this computer.`}>
          Import one to learn which key it is and whether it works, then revoke it.
        </Note>
      )}
    </>
  )
}

/** The folder that is being read. */
function At({ path }: { readonly path: string }) {
  return (
    <code className={textStyles.cut} title={path}>
      <VisibleText text={path} />
    </code>
  )
}

function Nothing({ scan: { state, files, keys } }: { readonly scan: LeakScan }) {
  const own = keys.compared === 0 ? null : keys.compared === 1 ? 'one secret of yours' : `${numberText(keys.compared)} secrets of yours`
  return files === 0 ? (
    <Empty icon="file" title="No text file was read">
      Choose the folder that the files are in.
    </Empty>
  ) : (
    <Empty icon={state === 'done' ? 'shield-check' : 'pause'} title={state === 'done' ? 'Nothing here looks like a key' : 'Nothing until then'}>
      Searched for {own === null ? 'keys of this service; none of yours is held on this computer.' : `${own} and for others of this service.`}
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

/** A scan while it runs and after it: what was read, what was found, what was not read. */
export function LeakResult({ scan, limits, findings, keys, onRevoke }: ResultProps) {
  const running = scan.state === 'running'
  const skipped = skippedText(scan)
  return (
    <>
      {running ? null : <Warnings scan={scan} findings={findings} keys={keys} />}
      <section className={cx(panelStyles.panel, leaksStyles.leakResult)} aria-label="Result">
        <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
          {running ? <span className={buttonStyles.spin} aria-hidden="true" /> : null}
          <h2>
            <span role="status">{outcomeText(scan, limits)}</span>
          </h2>
          <span className={cx(panelStyles.end, panelStyles.count)}>
            {readText(scan)}
            {scan.endedAtMs === null ? ' read' : ` read in ${lengthText(scan.endedAtMs - scan.startedAtMs)}`}
          </span>
        </div>
        {findings.length > 0 ? (
          <LeakTable findings={findings} keys={keys} onRevoke={onRevoke} />
        ) : running ? (
          <p className={leaksStyles.leakNone}>What is found stands here at once.</p>
        ) : (
          <Nothing scan={scan} />
        )}
        {running ? (
          <div className={panelStyles.panelFoot}>
            {scan.at === null ? (
              'Beginning'
            ) : (
              <>
                In <At path={scan.at} />
              </>
            )}
          </div>
        ) : skipped === null && scan.unreadTotal === 0 ? null : (
          <div className={cx(panelStyles.panelFoot, leaksStyles.leakFoot)}>
            {skipped === null ? null : <span>Not read: {skipped}.</span>}
            <Unread scan={scan} limits={limits} />
          </div>
        )}
      </section>
    </>
  )
}

const ownerWords: Readonly<Record<LeakFinding['owner'], string>> = {
  key: 'A key of yours',
  sign_in: 'Your own sign-in',
  other_wallet: 'Of another wallet of yours',
  unknown: 'Not held on this computer',
}

/** Whose it is: the key by its name, or what can be said without one. */
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
  const show = useDeskCommand('leaks.showFile')
  const { folder, name, path, line, column, ignored, mask, sure, where, object } = finding
  const state = findingState(finding, entry)
  return (
    <tr>
      <td className={leaksStyles.leakPlace}>
        <span>
          <code className={textStyles.cut} title={where === 'file' ? `${path}, line ${line}, column ${column}` : path}>
            <VisibleText text={name === '' ? folder : name} />
            {where === 'file' ? `:${line}` : ''}
          </code>
          {where === 'name' ? <Chip title="Whoever sees the name has it">In the name</Chip> : null}
          {object === null ? null : <Chip title={`git log --all --find-object=${object}`}>History, {object.slice(0, 8)}</Chip>}
          {ignored ? <Chip title="A .gitignore names it">Ignored</Chip> : null}
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
            Revoke
          </Button>
        ) : null}
        <IconButton
          icon="folder"
          size="xs"
          label="Show file"
          busy={show.isPending}
          onClick={() =>
            show.mutate(
              { findingId: finding.id },
              {
                onError: () => toast({ tone: 'warn', title: 'The file is not there any more', text: 'It was moved or removed since the scan.', action: null }),
              },
            )
          }
        />
        <CopyButton text={path} what="path" />
      </td>
    </tr>
  )
}

interface LeakTableProps {
  readonly findings: readonly LeakFinding[]
  readonly keys: readonly KeySummary[]
  readonly onRevoke: (finding: LeakFinding) => void
}

/** Each place at which a secret stands: whose it is, how sure that is, what it is worth, and what to do. */
function LeakTable({ findings, keys, onRevoke }: LeakTableProps) {
  return (
    <Table label="Found keys" className={leaksStyles.leakTable}>
      <thead>
        <tr>
          <HeadCell>Where</HeadCell>
          <HeadCell>Whose</HeadCell>
          <HeadCell>How sure</HeadCell>
          <HeadCell>Now</HeadCell>
          <HeadCell>
            <span className={textStyles.screenReaderOnly}>Actions</span>
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
