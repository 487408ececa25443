/** Saves a text as a file. */
export function saveDownload(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.download = name
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.click()
  // Some browsers begin to read it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
