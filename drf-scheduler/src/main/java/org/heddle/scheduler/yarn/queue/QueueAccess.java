// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AccessRequest;
import org.apache.hadoop.yarn.security.AccessType;
import org.apache.hadoop.yarn.security.ConfiguredYarnAuthorizer;
import org.apache.hadoop.yarn.security.Permission;
import org.apache.hadoop.yarn.security.PrivilegedEntity;
import org.apache.hadoop.yarn.security.PrivilegedEntity.EntityType;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.heddle.scheduler.model.AccessList;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a queue. The access lists of the configuration answer, unless {@code yarn.authorization-provider} names a
 * plug-in such as Apache Ranger's: then the plug-in alone answers, as with FairScheduler and CapacityScheduler. It is
 * given the lists, because plug-ins use them where they have no policy of their own.
 *
 * <p>YARN's administrators have access to all queues only if {@code yarn.admin.acl} names them: its default is
 * everyone, which would make the lists of the queues useless. Without {@code yarn.acl.enable} everyone has access; in
 * FairScheduler compatibility mode access is checked even then.
 */
public final class QueueAccess {
    /** Asked for each access; null if the lists of the configuration answer. */
    private final @Nullable YarnAuthorizationProvider plugIn;

    /** Knows YARN's administrators; null if they have no access of their own. */
    private final @Nullable YarnAuthorizationProvider administrators;

    private final boolean enabled;
    private volatile boolean alwaysChecked;

    QueueAccess(Configuration conf) {
        Class<?> provider =
                conf.getClass(YarnConfiguration.YARN_AUTHORIZATION_PROVIDER, ConfiguredYarnAuthorizer.class);
        boolean byLists = provider == ConfiguredYarnAuthorizer.class;
        boolean everyoneIsAdministrator = new AccessControlList(
                        conf.get(YarnConfiguration.YARN_ADMIN_ACL, YarnConfiguration.DEFAULT_YARN_ADMIN_ACL))
                .isAllAllowed();
        this.enabled = YarnConfiguration.isAclEnabled(conf);
        this.plugIn = byLists ? null : YarnAuthorizationProvider.getInstance(conf);
        this.administrators =
                byLists && enabled && !everyoneIsAdministrator ? YarnAuthorizationProvider.getInstance(conf) : null;
    }

    /** Takes over the lists of all queues. The caller holds the scheduler's lock. */
    void publish(Collection<HeddleQueue> queues, boolean likeFairScheduler) {
        alwaysChecked = likeFairScheduler;
        if (plugIn == null) {
            return;
        }
        List<Permission> permissions = queues.stream()
                .map(queue -> new Permission(
                        entity(queue),
                        Map.of(
                                AccessType.SUBMIT_APP, hadoopList(queue.spec().submit()),
                                AccessType.ADMINISTER_QUEUE,
                                        hadoopList(queue.spec().administer()))))
                .toList();
        try {
            plugIn.setPermission(permissions, UserGroupInformation.getCurrentUser());
        } catch (IOException e) {
            throw new UncheckedIOException("The user that runs the ResourceManager is not known", e);
        }
    }

    boolean allows(HeddleQueue queue, QueueACL acl, UserGroupInformation user) {
        if (!enabled && !alwaysChecked) {
            return true;
        }
        if (plugIn != null) {
            return plugIn.checkPermission(new AccessRequest(
                    entity(queue),
                    user,
                    SchedulerUtils.toAccessType(acl),
                    null,
                    null,
                    Server.getRemoteAddress(),
                    List.of()));
        }
        return (administrators != null && !alwaysChecked && administrators.isAdmin(user))
                || allowedByLists(queue, acl, user);
    }

    /** A list that an ancestor has is valid for the queue as well. */
    private static boolean allowedByLists(HeddleQueue leaf, QueueACL acl, UserGroupInformation user) {
        Set<String> groups = user.getGroupsSet();
        for (HeddleQueue queue = leaf; queue != null; queue = queue.parent()) {
            AccessList list;
            if (acl == QueueACL.SUBMIT_APPLICATIONS) {
                list = queue.spec().submit();
            } else {
                list = queue.spec().administer();
            }
            if (list.allows(user.getShortUserName(), groups)) {
                return true;
            }
        }
        return false;
    }

    /** The class of the authorization plug-in; null if the lists of the configuration answer. */
    @Nullable
    String plugIn() {
        return plugIn == null ? null : plugIn.getClass().getName();
    }

    private static PrivilegedEntity entity(HeddleQueue queue) {
        return new PrivilegedEntity(EntityType.QUEUE, queue.getQueueName());
    }

    /** An access list in Hadoop's form. */
    public static AccessControlList hadoopList(AccessList list) {
        return new AccessControlList(
                list.everyone() ? "*" : String.join(",", list.users()) + " " + String.join(",", list.groups()));
    }
}
