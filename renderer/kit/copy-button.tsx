import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { kitText } from '../text/en/kit.en.tsx'
import { Button, type ButtonSize, type ButtonVariant, IconButton } from './button.tsx'
import type { IconName } from './icons/icon.tsx'
import styles from './text.module.css'

/** Copies text to the clipboard. Resolves to whether that succeeded. */
export type CopyText = (text: string) => Promise<boolean>

const CopyContext = createContext<CopyText | null>(null)

/** Provides the copy function for all copy buttons inside it. */
export function CopyProvider({ copy, children }: { readonly copy: CopyText; readonly children: ReactNode }) {
  return <CopyContext value={copy}>{children}</CopyContext>
}

interface CopyButtonProps {
  /** The text to copy. Never a secret: only the main process copies secrets. */
  readonly text: string
  /** The name of the copied text in the button's label, for example "address". */
  readonly what: string
  /** The text beside the icon; absent if the button shows only the icon. */
  readonly words?: string
  readonly icon?: IconName
  readonly size?: ButtonSize
  readonly variant?: ButtonVariant
}

/**
 * A button that copies text with the function of `CopyProvider`, because the page itself has no clipboard access. Shows the outcome for two seconds.
 */
export function CopyButton({ text, what, words, icon = 'copy', size = 'xs', variant }: CopyButtonProps) {
  const copy = useContext(CopyContext)
  if (copy === null) throw new Error('CopyButton needs a CopyProvider above it')
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  useEffect(() => {
    if (outcome === 'none') return
    const timer = setTimeout(() => setOutcome('none'), 2_000)
    return () => clearTimeout(timer)
  }, [outcome])
  const press = async () => setOutcome((await copy(text)) ? 'copied' : 'failed')
  const shown = outcome === 'copied' ? 'check' : outcome === 'failed' ? 'x' : icon
  return (
    <>
      {words === undefined ? (
        <IconButton icon={shown} label={kitText.copy(what)} size={size} variant={variant ?? 'ghost'} onClick={() => void press()} />
      ) : (
        <Button icon={shown} size={size} variant={variant ?? 'standard'} onClick={() => void press()}>
          {words}
        </Button>
      )}
      <span className={styles.screenReaderOnly} role="status">
        {outcome === 'copied' ? kitText.copied(what) : outcome === 'failed' ? kitText.copyFailed(what) : ''}
      </span>
    </>
  )
}
