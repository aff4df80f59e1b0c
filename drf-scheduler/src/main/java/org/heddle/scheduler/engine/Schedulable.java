// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.UsageMeter;
import org.jspecify.annotations.Nullable;

/**
 * A queue, a user in a leaf queue, or an application. Hot: every grant and release changes it; the engine's lock guards
 * it. State only; {@link SchedulableTree} keeps it consistent.
 *
 * <p>It lists the container sizes that are asked for at and below it. A queue or user has, for each size, a heap of
 * the children that ask for it.
 */
public final class Schedulable {
    static final int NOT_IN_HEAP = -1;
    static final int SUSPENDED = -2;
    private static final int FIRST_SLOTS = 2;

    final String name;
    final @Nullable Schedulable parent;
    final long sequence;
    /** Order among the children; null for an application. */
    @Nullable
    ShareOrder order;

    final List<Schedulable> children = new ArrayList<>();
    private final List<Schedulable> childrenView = Collections.unmodifiableList(children);
    final double[] weight;
    int priority;
    /** Its limit, per resource; null if there is none. */
    long @Nullable [] limit;
    /** Whether it may have one more container as long as it holds no more than its limit. */
    boolean lastMayExceed;

    /** Its guarantee, per resource; null if there is none. */
    long @Nullable [] guarantee;

    final long[] usage;
    long running;
    long pending;

    /** Part of each resource, 0 to 1, that it is entitled to; and what a unit of it adds to its normalized share. */
    final double[] entitlement;

    final double[] price;

    double normalizedShare;
    /** Place among its siblings: the tier decides, and within a tier the key. */
    long tier;

    double key;

    /** Its usage as its parent counts it, after rescaling of its own children. */
    final double[] countedUsage;
    /** Its contribution to one of its parent's sums, and whether that is the scaled sum. */
    final double[] contribution;

    boolean scales;

    /** Sum of the weights of its active children, per resource; none for an application. */
    final double[] activeWeight;
    /** What that sum was when its entitlement was last divided among them. */
    final double[] dividedBy;

    /** The set of its active children has changed, and what follows from it is not computed yet. */
    boolean staleBelow;

    /** Limits, its own or those below it, forbid everything it asks for that is not blocked. */
    boolean atLimit;

    /** Something that the engine does not know forbids everything it asks for, and not for want of room. */
    private boolean heldBack;

    /** Sum of the children's directions (usage at normalized share 1), and of what counts as it is. */
    final double[] scaledSum;

    final double[] fixedSum;
    /**
     * The poorest normalized share by which those children that do not set it were last sorted into the two sums, and
     * the normalized shares of theirs next to it on either side: while the poorest stays between these the sums are
     * right.
     */
    double sortedBy;

    double nextBelow = Double.NEGATIVE_INFINITY;
    double nextAbove = Double.POSITIVE_INFINITY;
    /** The poorest child that is suspended during a pass. */
    double poorestSuspended = Double.POSITIVE_INFINITY;

    private @Nullable Object owner;
    /** Receives every change of its usage; usually null. */
    @Nullable
    UsageMeter meter;

    int slots;
    ContainerSize[] containerSize = new ContainerSize[FIRST_SLOTS];
    long[] asked = new long[FIRST_SLOTS];
    /** Its place in the parent's heap of the slot's container size. */
    int[] position = new int[FIRST_SLOTS];

    ChildHeap[] heap = new ChildHeap[FIRST_SLOTS];

    Schedulable(String name, @Nullable Schedulable parent, @Nullable ShareOrder order, double[] weight, long sequence) {
        int resources = weight.length;
        this.name = name;
        this.parent = parent;
        this.order = order;
        this.weight = weight.clone();
        this.sequence = sequence;
        this.usage = new long[resources];
        this.entitlement = new double[resources];
        this.price = new double[resources];
        this.countedUsage = new double[resources];
        this.contribution = new double[resources];
        this.scaledSum = new double[resources];
        this.fixedSum = new double[resources];
        this.activeWeight = new double[order == null ? 0 : resources];
        this.dividedBy = new double[order == null ? 0 : resources];
    }

    public String name() {
        return name;
    }

    /** The object that the caller of the engine has attached. */
    public @Nullable Object owner() {
        return owner;
    }

    /** Attaches an object of the caller, which finds it again when the engine chooses this. */
    public void attach(Object newOwner) {
        this.owner = newOwner;
    }

    public @Nullable Schedulable parent() {
        return parent;
    }

    public @Nullable UsageMeter meter() {
        return meter;
    }

    /** Sets the meter that receives every change of its usage; null for none. */
    public void setMeter(@Nullable UsageMeter newMeter) {
        this.meter = newMeter;
    }

    /** In no particular order; unmodifiable. */
    public List<Schedulable> children() {
        return childrenView;
    }

    public boolean isLeaf() {
        return order == null;
    }

    /** Name of the order among its children; empty for an application. */
    public String order() {
        return order == null ? "" : order.name();
    }

    public long usage(int resource) {
        return usage[resource];
    }

    public long[] usage() {
        return usage.clone();
    }

    public double weight(int resource) {
        return weight[resource];
    }

    public double entitlement(int resource) {
        return entitlement[resource];
    }

    public int priority() {
        return priority;
    }

    /** Share relative to entitlement; see {@link SchedulableTree}. */
    public double normalizedShare() {
        return normalizedShare;
    }

    /** The tier among its siblings: the smallest one is served next. */
    public long tier() {
        return tier;
    }

    /** The place within the tier: the smallest key is served next. */
    public double key() {
        return key;
    }

    /**
     * Compares the places of two siblings: negative if the first one is served before the second one. It is so in every
     * order but those that look at container sizes at each choice.
     */
    public static int comparePlaces(Schedulable a, Schedulable b) {
        if (a.tier != b.tier) {
            return a.tier < b.tier ? -1 : 1;
        }
        int byKey = Double.compare(a.key, b.key);
        return byKey != 0 ? byKey : Long.compare(a.sequence, b.sequence);
    }

    /** Whether weights divide what it has among its children; false for an application. */
    public boolean entitlesChildren() {
        return order != null && order.entitles();
    }

    /**
     * Sets whether something that the engine does not know forbids everything that an application asks for, as a limit
     * does: then it is not the poorest of its siblings, whatever it holds.
     */
    public void holdBack(boolean forbidden) {
        if (heldBack != forbidden) {
            heldBack = forbidden;
            atLimit = !isWithinLimits();
        }
    }

    /**
     * Whether limits (its own, above or below it) allow at least one container that it asks for; free resources do not
     * count.
     */
    public boolean mayHoldMore() {
        for (int k = 0; k < slots; k++) {
            boolean allowed = isAllowedBelow(containerSize[k]);
            for (Schedulable at = parent; allowed && at != null; at = at.parent) {
                allowed = !at.exceedsLimitWith(containerSize[k].need);
            }
            if (allowed) {
                return true;
            }
        }
        return false;
    }

    private boolean isAllowedBelow(ContainerSize wanted) {
        if (slotOf(wanted) < 0 || exceedsLimitWith(wanted.need)) {
            return false;
        }
        boolean allowed = isLeaf();
        for (int i = 0; i < children.size() && !allowed; i++) {
            allowed = children.get(i).isAllowedBelow(wanted);
        }
        return allowed;
    }

    /** Order of arrival in the whole tree. */
    public long sequence() {
        return sequence;
    }

    /** Part of its guarantee that it holds: of the resource of which it holds the largest part; 1 without guarantee. */
    public double guaranteeHeld() {
        double most = guarantee == null ? 1 : 0;
        for (int j = 0; guarantee != null && j < usage.length; j++) {
            if (guarantee[j] > 0) {
                most = Math.max(most, (double) usage[j] / guarantee[j]);
            }
        }
        return most;
    }

    public long running() {
        return running;
    }

    public long pending() {
        return pending;
    }

    /** Its pending resources. */
    public long[] demand() {
        long[] sum = new long[usage.length];
        for (int k = 0; k < slots; k++) {
            for (int j = 0; j < sum.length; j++) {
                sum[j] += containerSize[k].need[j] * asked[k];
            }
        }
        return sum;
    }

    public long @Nullable [] limit() {
        return limit == null ? null : limit.clone();
    }

    /** Whether it would exceed its limit with this amount in addition, by more than its limit allows. */
    public boolean exceedsLimitWith(long[] more) {
        if (limit == null) {
            return false;
        }
        return lastMayExceed ? isOver(usage, limit) : exceeds(usage, more, limit);
    }

    private static boolean exceeds(long[] usage, long[] need, long[] limit) {
        for (int j = 0; j < need.length; j++) {
            if (need[j] > 0 && usage[j] + need[j] > limit[j]) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOver(long[] usage, long[] limit) {
        for (int j = 0; j < limit.length; j++) {
            if (usage[j] > limit[j]) {
                return true;
            }
        }
        return false;
    }

    /** Whether it asks for something and nothing that it asks for fitted a node of the last whole round. */
    public boolean isBlocked() {
        return pending > 0 && !isOpenForRescaling();
    }

    boolean isActive() {
        return running > 0 || pending > 0;
    }

    /** Whether it asks for a container size that is not blocked. */
    boolean isOpenForRescaling() {
        for (int k = 0; k < slots; k++) {
            if (!containerSize[k].blocked) {
                return true;
            }
        }
        return false;
    }

    /** Whether limits and blocked container sizes allow it, or one below it, another container. */
    boolean isWithinLimits() {
        if (heldBack) {
            return false;
        }
        for (int k = 0; k < slots; k++) {
            boolean allowed = !containerSize[k].blocked && !exceedsLimitWith(containerSize[k].need);
            if (allowed && (isLeaf() || heap[k].hasChildWithinLimits())) {
                return true;
            }
        }
        return false;
    }

    int slotOf(ContainerSize wanted) {
        for (int k = 0; k < slots; k++) {
            if (containerSize[k] == wanted) {
                return k;
            }
        }
        return -1;
    }

    int addSlot(ContainerSize added) {
        if (slots == containerSize.length) {
            int more = slots * 2;
            containerSize = Arrays.copyOf(containerSize, more);
            asked = Arrays.copyOf(asked, more);
            position = Arrays.copyOf(position, more);
            heap = Arrays.copyOf(heap, more);
        }
        containerSize[slots] = added;
        asked[slots] = 0;
        position[slots] = NOT_IN_HEAP;
        if (!isLeaf()) {
            if (heap[slots] == null) {
                heap[slots] = new ChildHeap();
            }
        }
        return slots++;
    }

    /** Removes a slot that is in no heap; the last slot takes its index. */
    void removeSlot(int k) {
        int last = --slots;
        ChildHeap spare = heap[k];
        if (k != last) {
            containerSize[k] = containerSize[last];
            asked[k] = asked[last];
            position[k] = position[last];
            heap[k] = heap[last];
            heap[last] = spare;
            if (position[k] >= 0 && parent != null) {
                parent.heap[parent.slotOf(containerSize[k])].renumber(position[k], k);
            }
        }
    }

    boolean precedes(Schedulable other) {
        return comparePlaces(this, other) < 0;
    }

    @Override
    public String toString() {
        return parent == null ? name : parent + "." + name;
    }
}
