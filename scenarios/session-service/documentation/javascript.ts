/** What a model under test reads about the service. */
export const sessionServiceDocumentation = 'Session service: sessions of a source and type under /api/sessions/{source}/{type}.'
