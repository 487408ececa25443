import type { ReactNode } from 'react'

/**
 * Content that may be wider than the page scrolls separately, also by keyboard. `label` names it to screen
 * readers.
 */
export const Scrolls = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="scrolls" tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
)
