// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Slots of reduces that only wait for maps. In YARN maps and reduces share their slots, and MapReduce requests reduces
 * first. So the last maps may run while reduces hold all other slots: they cannot end before these maps, and a backup
 * of such a map finds no slot. One of these reduces can give its slot to the backup. It loses what it has fetched, and
 * is requested again.
 */
final class WaitingReduces {
    /** From the decision until the slot is free for the backup, expected. */
    static final double ROOM_MILLIS = 5_000;

    /** A backup must save as much time again as it takes: it costs the run of the reduce, too. */
    private static final double MARGIN = 2;
    /** The last maps hold up all reduces, so that less must be gained. */
    private static final double MARGIN_OF_THE_LAST = 1.5;

    private static final int LAST = 4;

    private final Rules maps;
    private final double margin;
    /** The one that loses least first. */
    private final List<AttemptRecord> reduces;

    private WaitingReduces(Rules maps, List<AttemptRecord> reduces, double margin) {
        this.margin = margin;
        this.maps = maps;
        this.reduces = reduces;
    }

    /** @param maps the rules for maps */
    static WaitingReduces of(AttemptRegistry registry, Rules maps) {
        List<AttemptRecord> reduces = new ArrayList<>();
        if (registry.mapsDoneAt() < 0) {
            for (TaskRecord task : registry.running(TaskKind.REDUCE)) {
                AttemptRecord attempt = task.live.get(0);
                boolean onlyWaits = task.live.size() == 1 && attempt.phase() == 0;
                if (onlyWaits && attempt.on().reducesHoldSlotsOfMaps() && !maps.slow(attempt.on())) {
                    reduces.add(attempt);
                }
            }
        }
        reduces.sort(Comparator.<AttemptRecord>comparingDouble(reduce -> maps.slowness(reduce.on()))
                .thenComparing(
                        Comparator.comparingLong(AttemptRecord::startedAt).reversed())
                .thenComparing(AttemptRecord::id));
        boolean last = registry.running(TaskKind.MAP).size() <= LAST;
        return new WaitingReduces(maps, reduces, last ? MARGIN_OF_THE_LAST : MARGIN);
    }

    /** The reduce that gives its slot to a backup of the map; null if there is none for which that pays. */
    @Nullable
    AttemptRecord giverFor(TaskRecord map, double remainingMillis) {
        if (!maps.foresees(map)) {
            return null;
        }
        for (AttemptRecord reduce : reduces) {
            boolean elsewhere = map.live.stream().noneMatch(attempt -> attempt.on() == reduce.on());
            if (elsewhere && maps.pays(remainingMillis, margin * (ROOM_MILLIS + maps.freshMillis(map, reduce.on())))) {
                return reduce;
            }
        }
        return null;
    }
}
