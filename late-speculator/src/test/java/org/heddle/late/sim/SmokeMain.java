// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.ArrayList;
import java.util.List;

public final class SmokeMain {
    public static void main(String[] args) {
        List<Scenario> all = new ArrayList<>(Scenarios.all());
        all.addAll(Scenarios.small());
        all.add(Scenarios.paper54(false, 1));
        all.add(Scenarios.paper54(true, 1));
        all.add(Scenarios.xAndY());
        if (args.length > 0) all.removeIf(s -> !s.name().contains(args[0]));
        int seeds = 3;
        for (Scenario s : all) {
            System.out.printf("%-28s", s.name());
            for (Mode m : List.of(Mode.NONE, Mode.STOCK, Mode.STOCK_1S, Mode.PAPER, Mode.PAPER.with("p20", "mapreduce.heddle.late.cap.slots", 0.2), Mode.HEDDLE.with("heddle", "mapreduce.heddle.late.explain.file", "/tmp/late-x-" + s.name().replace(" ","_") + ".jsonl"), Mode.CLAIRVOYANT)) {
                double[] t = new double[seeds];
                double b = 0, w = 0, waste = 0, useless = 0;
                for (int i = 0; i < seeds; i++) {
                    Scenario x = s.name().startsWith("paper 5.4") ? Scenarios.paper54(s.thirds(), i + 1) : s;
                    Outcome o = Simulation.run(x, m, i + 1);
                    t[i] = o.seconds();
                    b += o.backups();
                    w += o.won();
                    waste += o.wastedShare();
                    useless += o.uselessShare();
                }
                java.util.Arrays.sort(t);
                System.out.printf(
                        " %s %.0f (%.0f/%.0f %.1f%% u%.2f%%) |",
                        m.name().replace("late ", ""),
                        t[seeds / 2],
                        b / seeds,
                        w / seeds,
                        100 * waste / seeds,
                        100 * useless / seeds);
            }
            System.out.println();
        }
        long t0 = System.nanoTime();
        if (args.length > 1) {
            for (Mode m : List.of(Mode.NONE, Mode.STOCK, Mode.HEDDLE)) {
                Outcome o = Simulation.run(Scenarios.large(), m, 1);
                System.out.printf(
                        "large %s %.0f s, %d backups, took %.1f s%n",
                        m.name(), o.seconds(), o.backups(), (System.nanoTime() - t0) / 1e9);
                t0 = System.nanoTime();
            }
        }
    }
}
