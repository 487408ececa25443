import type { ReactNode } from 'react'

/** What may be wider than the page scrolls by itself, by keyboard too. `label` names it to screen readers. */
export const Scrolls = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="scrolls" tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
)
