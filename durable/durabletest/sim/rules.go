package sim

import "github.com/tributary-agents/tributary/durable/durabletest/sim/check"

// rule checks a handled event.
type rule func(check.Event)

// rulesOfEvents returns the rules for handled events. Their order is kept: each statement counts
// for a fault that is injected at a statement, and some rules note what later ones compare. I1 and
// I2 hold by types: commands and events are values, and the world passes on nothing else.
func (r *root) rulesOfEvents() []rule {
	return []rule{
		r.objects.TrapShowsNothing,
		r.clients.ChunksKeepTheirNumbers,
		r.objects.StatusesGoForward,
		r.objects.FacetsOwnNothing,
		r.objects.StopReachesRuns,
		r.clients.FramesHaveReceivers,
		r.clients.StrangersReachNothing,
		r.clients.NobodyIsForgotten,
		r.clients.EndsComeLast,
		r.clients.StreamsMakeSense,
		r.objects.TrapsHaveCauses,
		r.objects.TurnsSpeakInOrder,
		r.objects.SlotsAreHeld,
		r.objects.IdleHelpersAreEvicted,
		r.objects.AwaitsHappenOnce,
		r.clients.CallsAreAnsweredOnce,
		r.objects.SubmissionsAreKept,
		r.objects.SubmissionsStay,
		r.objects.TurnsBeginInOrder,
		r.objects.PolicyIsKept,
		r.objects.SchedulesAreKept,
		r.objects.EndsAreDelivered,
		r.objects.HostedRunsEndOnce,
		r.objects.NothingOverdueRests,
		r.objects.AnswersAreTaken,
		r.objects.GoesOnWhenAllIsAnswered,
		r.clients.TokensEndSockets,
		r.objects.AlarmsAreSetAnew,
		r.objects.RepeatsEnd,
		r.objects.HelpersAreFollowed,
		r.requests.RunsCostTheirAnswers,
		r.objects.TimeIsNotGivenBack,
		r.objects.DebouncedOnesWait,
		r.requests.PausesAreCharged,
		r.clients.NewcomersAreTold,
		r.clients.AnswersHaveAFinish,
		r.clients.RunsComeInOrder,
		r.clients.SkippedAreShown,
		r.clients.ErrorsAreTrue,
		r.clients.PagesAreOfKnownRuns,
		r.objects.StartsAreRepeated,
		r.effects.SignalsAreKept,
		r.effects.PausedRunsRest,
		r.effects.ActionsGoForward,
		r.effects.QuestionsAreNoted,
		r.foreign.SecretsStay,
	}
}

// checkRest checks the rules for a world at rest.
func (r *root) checkRest() {
	for _, holds := range []func(){
		r.objects.EverythingIsFinal,
		r.objects.NextTimesAreArmed,
		r.nothingIsHeld,
		r.clients.CallersAreAnswered,
		r.objects.EveryEndIsDelivered,
		r.objects.NothingIsSaidTwice,
		r.objects.LogsAgree,
		r.objects.ApprovedCallsHaveRun,
		r.objects.QuestionsAreShown,
		r.effects.ReportsAreTrue,
		r.effects.ActionsAreOver,
		r.requests.ThoughtsStayApart,
		r.foreign.NothingIsAsked,
		r.foreign.DelegatesAreTold,
		r.foreign.SecretsAreNotStored,
		r.programs.EveryCallIsOver,
		r.restSurvivesEviction,
		r.tabsAreConnected,
		r.tabsShowStorage,
	} {
		if !r.hasFailed() {
			r.view.Checks++
			holds()
		}
	}
}
