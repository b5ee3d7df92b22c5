import { useEffect, useState } from 'react'
import { useDeskCommand } from '../ipc/use-desk.ts'
import { Button, type ButtonSize, type ButtonVariant, IconButton } from './button.tsx'
import type { IconName } from './icon.tsx'

interface CopyButtonProps {
  /** What goes to the clipboard. Never a secret: those are copied by main itself. */
  readonly text: string
  /** What is copied, for example "address": names the button. */
  readonly what: string
  /** With words beside the icon. */
  readonly words?: string
  readonly icon?: IconName
  readonly size?: ButtonSize
  readonly variant?: ButtonVariant
}

/** Copies through main, since the page has no clipboard of its own, and says so for two seconds. */
export function CopyButton({ text, what, words, icon = 'copy', size = 'xs', variant }: CopyButtonProps) {
  const copy = useDeskCommand('app.copyText')
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 2_000)
    return () => clearTimeout(timer)
  }, [done])
  const press = () => copy.mutate({ text }, { onSuccess: () => setDone(true) })
  const shown = done ? 'check' : icon
  return (
    <>
      {words === undefined ? (
        <IconButton icon={shown} label={`Copy ${what}`} size={size} variant={variant ?? 'ghost'} onClick={press} />
      ) : (
        <Button icon={shown} size={size} variant={variant ?? 'standard'} onClick={press}>
          {words}
        </Button>
      )}
      <span className="sr" role="status">
        {done ? `${what} copied` : copy.isError ? `${what} could not be copied` : ''}
      </span>
    </>
  )
}
