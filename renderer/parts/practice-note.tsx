import type { ReactNode } from 'react'
import { Icon } from '../kit/icons/icon.tsx'

/** The band over every page of practice. `children` stand at its end. */
export const PracticeNote = ({ children }: { readonly children?: ReactNode }) => (
  <section className="band" aria-label="Practice">
    <span className="band-tag">
      <Icon name="flask" />
      Practice
    </span>
    <span className="cut">A local exchange on this computer. Nothing here is real money.</span>
    {children}
  </section>
)
