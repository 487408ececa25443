/** The four APIs of the published data: how prompts call them, and how many tasks each has (the paper's Table I). */
export const apis: readonly { id: string; title: string; tasks: number }[] = [
  { id: 'asana', title: 'Asana', tasks: 167 },
  { id: 'google_calendar_v3', title: 'Google Calendar', tasks: 37 },
  { id: 'google_sheet_v4', title: 'Google Sheets', tasks: 17 },
  { id: 'slack', title: 'Slack Web', tasks: 174 },
]
