// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.evaluate;

import java.util.List;
import org.heddle.benchmarks.drf.ChoicesExperiment;
import org.heddle.benchmarks.drf.ExamplesExperiment;
import org.heddle.benchmarks.drf.PropertiesExperiment;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.jobs.JobWallTimesExperiment;
import org.heddle.benchmarks.journal.CommitLatencyExperiment;
import org.heddle.benchmarks.late.ContendedExperiment;
import org.heddle.benchmarks.late.EmulatedClusterExperiment;
import org.heddle.benchmarks.late.ScanCostExperiment;
import org.heddle.benchmarks.late.ScenariosExperiment;
import org.heddle.benchmarks.late.SleepWorkloadExperiment;
import org.heddle.benchmarks.late.SlowNodeSortExperiment;
import org.heddle.benchmarks.late.ThresholdsExperiment;
import org.heddle.benchmarks.late.UnseenSeedsExperiment;
import org.heddle.benchmarks.late.UnusualJobsExperiment;
import org.heddle.benchmarks.locality.LocalityExperiment;
import org.heddle.benchmarks.locality.SideBySideExperiment;
import org.heddle.benchmarks.market.BoostExperiment;
import org.heddle.benchmarks.market.EightyQueuesExperiment;
import org.heddle.benchmarks.market.EpochTimesExperiment;
import org.heddle.benchmarks.market.TenQueuesExperiment;
import org.heddle.benchmarks.market.TwoQueuesExperiment;
import org.heddle.benchmarks.offers.ApplicationsExperiment;
import org.heddle.benchmarks.offers.BridgeOverheadExperiment;
import org.heddle.benchmarks.offers.InputsExperiment;
import org.heddle.benchmarks.offers.IterationsExperiment;
import org.heddle.benchmarks.offers.RecoveryExperiment;
import org.heddle.benchmarks.offers.WebFarmExperiment;
import org.heddle.benchmarks.offers.emulation.ScalabilityExperiment;
import org.heddle.benchmarks.packing.ExecutedPlansExperiment;
import org.heddle.benchmarks.packing.JobTimesExperiment;
import org.heddle.benchmarks.packing.OptimalityExperiment;
import org.heddle.benchmarks.packing.OwnWorkloadsExperiment;
import org.heddle.benchmarks.packing.SearchTimesExperiment;
import org.heddle.benchmarks.packing.WorkloadsExperiment;
import org.heddle.benchmarks.report.Planned;
import org.heddle.benchmarks.requests.RequestTimesExperiment;
import org.heddle.benchmarks.rm.AccountingExperiment;
import org.heddle.benchmarks.rm.MixesExperiment;
import org.heddle.benchmarks.rm.RaceExperiment;
import org.heddle.benchmarks.rm.RequestLatencyExperiment;
import org.heddle.benchmarks.rm.StarvationExperiment;
import org.heddle.benchmarks.scale.ScaleExperiment;
import org.heddle.benchmarks.scale.WholeScaleExperiment;
import org.heddle.benchmarks.sharing.SharingExperiment;
import org.heddle.benchmarks.sls.SlsExperiment;
import org.heddle.benchmarks.takeover.TakeoverExperiment;
import org.heddle.benchmarks.web.PageLatencyExperiment;
import org.heddle.benchmarks.whatif.AtOnceExperiment;
import org.heddle.benchmarks.whatif.DominantSharesExperiment;
import org.heddle.benchmarks.whatif.FrameworksExperiment;
import org.heddle.benchmarks.whatif.PreemptionExperiment;
import org.heddle.benchmarks.whatif.PublicTracesExperiment;
import org.heddle.benchmarks.whatif.SlotsExperiment;
import org.heddle.benchmarks.whatif.WholeDayExperiment;

/** All experiments, in the order of the page, and the figures of the papers that have none yet. */
final class Experiments {
    private Experiments() {}

    static List<Experiment> all() {
        return List.of(
                new ExamplesExperiment(),
                new ChoicesExperiment(),
                new PropertiesExperiment(),
                new DominantSharesExperiment(),
                new SlotsExperiment(),
                new StarvationExperiment(),
                new FrameworksExperiment(),
                new LocalityExperiment(),
                new BridgeOverheadExperiment(),
                new ScalabilityExperiment(),
                new SharingExperiment(),
                new IterationsExperiment(),
                new ApplicationsExperiment(),
                new InputsExperiment(),
                new RecoveryExperiment(),
                new WebFarmExperiment(),
                new CommitLatencyExperiment(),
                new TakeoverExperiment(),
                new RaceExperiment(),
                new MixesExperiment(),
                new ScaleExperiment(),
                new WholeScaleExperiment(),
                new RequestLatencyExperiment(),
                new RequestTimesExperiment(),
                new JobWallTimesExperiment(),
                new SlsExperiment(),
                new SideBySideExperiment(),
                new PublicTracesExperiment(),
                new PageLatencyExperiment(),
                new AccountingExperiment(),
                new WholeDayExperiment(),
                new TwoQueuesExperiment(),
                new TenQueuesExperiment(),
                new EightyQueuesExperiment(),
                new BoostExperiment(),
                new PreemptionExperiment(),
                new EpochTimesExperiment(),
                new ScenariosExperiment(),
                new UnseenSeedsExperiment(),
                new UnusualJobsExperiment(),
                new ContendedExperiment(),
                new SleepWorkloadExperiment(),
                new ThresholdsExperiment(),
                new EmulatedClusterExperiment(),
                SlowNodeSortExperiment.even(),
                SlowNodeSortExperiment.skewed(),
                new ScanCostExperiment(),
                new JobTimesExperiment(),
                new WorkloadsExperiment(),
                new OwnWorkloadsExperiment(),
                new ExecutedPlansExperiment(),
                new AtOnceExperiment(),
                new SearchTimesExperiment(),
                new OptimalityExperiment());
    }

    static List<Planned> planned() {
        return List.of(
                new Planned(
                        "locality of a production workload",
                        Paper.DELAY,
                        "its tables of locality",
                        "delay-locality with small jobs; request-latency has a column of it"),
                new Planned(
                        "Spark on 25 to 100 machines",
                        Paper.RDD,
                        "Figures 8 and 10",
                        "spark-applications, with one and two tasks of one core"));
    }
}
