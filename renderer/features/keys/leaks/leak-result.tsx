import { useId, useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding, LeakScan, LeakState } from '../../../../shared/ipc/keys/leaks.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Empty } from '../../../kit/layout/empty.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { LeakTable } from './leak-table.tsx'
import { findingState, lengthText, numberText, outcomeText, readText, skippedText, unreadWord } from './leak-words.ts'

/** Files and folders that could not be read, folded. */
function Unread({ scan, limits }: { readonly scan: LeakScan; readonly limits: LeakState['limits'] }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const { unread, unreadTotal } = scan
  if (unreadTotal === 0) return null
  return (
    <div className="more-f lk-unread">
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
    <code className="cut" title={path}>
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
      <section className="panel lk-result" aria-label="Result">
        <div className="panel-head ruled">
          {running ? <span className="spin" aria-hidden="true" /> : null}
          <h2>
            <span role="status">{outcomeText(scan, limits)}</span>
          </h2>
          <span className="end count">
            {readText(scan)}
            {scan.endedAtMs === null ? ' read' : ` read in ${lengthText(scan.endedAtMs - scan.startedAtMs)}`}
          </span>
        </div>
        {findings.length > 0 ? (
          <LeakTable findings={findings} keys={keys} onRevoke={onRevoke} />
        ) : running ? (
          <p className="lk-none">What is found stands here at once.</p>
        ) : (
          <Nothing scan={scan} />
        )}
        {running ? (
          <div className="panel-foot">
            {scan.at === null ? (
              'Beginning'
            ) : (
              <>
                In <At path={scan.at} />
              </>
            )}
          </div>
        ) : skipped === null && scan.unreadTotal === 0 ? null : (
          <div className="panel-foot lk-foot">
            {skipped === null ? null : <span>Not read: {skipped}.</span>}
            <Unread scan={scan} limits={limits} />
          </div>
        )}
      </section>
    </>
  )
}
