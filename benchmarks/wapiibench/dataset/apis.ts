/** An API whose tasks are read: its name in prompts, and how many tasks there must be. */
export interface TaskApi {
  id: string
  title: string
  tasks: number
}
/** The four of the published data (the paper’s Table I, as the data have it). */
export const apis: readonly TaskApi[] = [
  { id: 'asana', title: 'Asana', tasks: 167 },
  { id: 'google_calendar_v3', title: 'Google Calendar', tasks: 37 },
  { id: 'google_sheet_v4', title: 'Google Sheets', tasks: 17 },
  { id: 'slack', title: 'Slack Web', tasks: 174 },
]
