import { useState } from 'react'
import type { LeakState } from '../../../../shared/ipc/keys/leaks.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Empty } from '../../../kit/layout/empty.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'

/** The folders that are looked through, and the button that does it. */
export function LeakFolders({ state: { folders, scan } }: { readonly state: LeakState }) {
  const add = useDeskCommand('leaks.addFolder')
  const drop = useDeskCommand('leaks.dropFolder')
  const start = useDeskCommand('leaks.start')
  const stop = useDeskCommand('leaks.stop')
  const [ignoredToo, setIgnoredToo] = useState(scan?.ignoredToo ?? false)
  const running = scan?.state === 'running'
  const failed = [add.error, start.error, stop.error].find((error) => error !== null)
  const choose = (
    <Button size="sm" {...(folders.length === 0 ? { variant: 'primary' as const } : {})} icon="plus" busy={add.isPending} onClick={() => add.mutate({})}>
      {folders.length === 0 ? 'Choose a folder' : 'Add a folder'}
    </Button>
  )
  return (
    <Panel
      title="Where to look"
      end={folders.length === 0 ? undefined : choose}
      className="lk-where"
      foot={
        folders.length === 0 ? undefined : (
          <>
            <Checkbox checked={ignoredToo} disabled={running} onChange={setIgnoredToo}>
              Also files that git ignores
            </Checkbox>
            {running ? (
              <Button size="sm" icon="pause" busy={stop.isPending} onClick={() => stop.mutate({})}>
                Stop
              </Button>
            ) : (
              <Button size="sm" variant="primary" icon="search" busy={start.isPending} onClick={() => start.mutate({ ignoredToo })}>
                {scan === null ? 'Scan' : 'Scan again'}
              </Button>
            )}
          </>
        )
      }
    >
      {folders.length === 0 ? (
        <Empty icon="search" title="Find keys that lie about in your files" actions={choose}>
          A key in a settings file, a log or a note is a key that others may find. Choose the folder of a bot or a project.
        </Empty>
      ) : (
        <ul className="lk-folders" aria-label="Folders to look in">
          {folders.map((folder) => (
            <li key={folder}>
              <Icon name="folder" />
              <code className="cut" title={folder}>
                <VisibleText text={folder} />
              </code>
              {running ? null : (
                <IconButton
                  icon="x"
                  size="xs"
                  label={`Leave out ${folder}`}
                  busy={drop.isPending && drop.variables.folder === folder}
                  onClick={() => drop.mutate({ folder })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
    </Panel>
  )
}
