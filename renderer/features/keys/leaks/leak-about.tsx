import type { LeakState } from '../../../../shared/ipc/keys/leaks.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { bytesText } from './leak-words.ts'

/** What a scan does, and what it never does. */
export function LeakAbout({ limits }: { readonly limits: LeakState['limits'] }) {
  const does = [
    'Recognises the secrets in your keychain and your sign-in by fingerprint, also in base64, hexadecimal or a URL.',
    'Finds other keys, sign-ins and webhook secrets of this service by how they begin and how random they look. Placeholders are left out.',
    `Reads text files, of each the first ${bytesText(limits.fileBytes)}, and the names of all. Binary files are not read, nor what a link leads to.`,
    `Reads the history that git keeps in .git, up to ${bytesText(limits.historyBytes)} of it, for your own secrets. git need not be installed. What is found there is in every clone too: revoke it, removing the file is not enough.`,
  ]
  const never = ['Sends anything anywhere', 'Shows, stores or logs what it found', 'Changes a file']
  return (
    <Panel title="How it works" padded className="lk-about">
      <ul>
        {does.map((text) => (
          <li key={text}>
            <Icon name="check" size={14} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <section aria-label="What it never does">
        <h3>It never</h3>
        <ul>
          {never.map((text) => (
            <li key={text}>
              <Icon name="x" size={14} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </section>
    </Panel>
  )
}
