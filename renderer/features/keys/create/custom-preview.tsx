import type { ReactNode } from 'react'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import textStyles from '../../../kit/text.module.css'
import styles from '../keys.module.css'
import { powers, type Scope } from './scope-choice.ts'

interface PreviewProps {
  readonly scopes: readonly Scope[]
  readonly busy: boolean
  readonly ready: boolean
  readonly hint: string | null
  readonly onCreate: () => void
  readonly children?: ReactNode
}

/** A key with chosen scopes, before it is made: what it will be able to do, in words. Made in one step; the wallet signs nothing. */
export function CustomPreview({ scopes, busy, ready, hint, onCreate, children }: PreviewProps) {
  const executes = scopes.includes('trade:execute')
  return (
    <aside className={cx(panelStyles.panel, styles.grant)} aria-labelledby="grant-title">
      <header>
        <div>
          <h2 id="grant-title">The key, in words</h2>
          <p className={textStyles.muted}>Made in one step, nothing to sign</p>
        </div>
        <Icon name="key" size={20} className={iconStyles.dim} />
      </header>
      <div className={cx(styles.words, styles.quiet)}>
        <p>
          {scopes.length === 0
            ? 'Choose what it may do.'
            : `A key of your wallet with ${scopes.length} of 6 scopes${executes ? '' : '. It does nothing that your wallet does not sign'}.`}
        </p>
      </div>
      <div className={styles.powers}>
        <div>
          <h3>It may</h3>
          <ul>
            {powers
              .filter(({ scope }) => scopes.includes(scope))
              .map(({ scope, name, detail }) => (
                <li key={scope}>
                  <Icon name="check" size={14} />
                  {name}: {detail.charAt(0).toLowerCase()}
                  {detail.slice(1)}
                </li>
              ))}
          </ul>
        </div>
        <div className={styles.not}>
          <h3>It may not</h3>
          <ul>
            {powers
              .filter(({ scope }) => !scopes.includes(scope))
              .map(({ scope, name }) => (
                <li key={scope}>
                  <Icon name="x" size={14} />
                  {name}
                </li>
              ))}
            <li>
              <Icon name="x" size={14} />
              Make keys, or withdraw without your wallet
            </li>
          </ul>
        </div>
      </div>
      <footer>
        {executes ? (
          <Note tone="neutral" title="To trade alone it needs two things more.">
            An agent with a grant, and an executor. Both are on the key’s own page.
          </Note>
        ) : null}
        {children}
        <Button size="lg" block variant="primary" icon="key" busy={busy} disabled={!ready} onClick={onCreate}>
          {busy ? 'Making the key' : 'Create key'}
        </Button>
        <p className={hint === null ? controlsStyles.help : cx(controlsStyles.help, controlsStyles.error)}>
          <Icon name={hint === null ? 'info' : 'stop'} />
          <span>{hint ?? 'First a test entry is written to the system keychain and read back. Without it no key is made.'}</span>
        </p>
      </footer>
    </aside>
  )
}
