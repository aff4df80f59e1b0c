// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import javax.security.sasl.SaslException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.KerberosAuthException;
import org.heddle.journal.UnavailableException;
import org.jspecify.annotations.Nullable;

/** Makes one sentence of a failure of HDFS, with the way out where it is known. */
final class HdfsFailure {
    /** Hadoop's words to a process without a ticket, and to one that does not know of Kerberos. */
    private static final Pattern NOT_LOGGED_IN =
            Pattern.compile("cannot authenticate via|SIMPLE authentication is not enabled");

    private HdfsFailure() {}

    static IOException sentence(String place, Exception failure) {
        Exception cause =
                failure instanceof RemoteException ? ((RemoteException) failure).unwrapRemoteException() : failure;
        String what = firstLine(cause);
        String sentence = what.startsWith(place + " ") ? what : place + " " + describe(cause, what);
        return passes(cause, what) ? new UnavailableException(sentence, failure) : new IOException(sentence, failure);
    }

    /** Whether it ends when the NameNode is back, without anything that an operator changes here. */
    private static boolean passes(Exception cause, String what) {
        return cause instanceof UnavailableException
                || (refusedLogin(cause) == null
                        && (isUnreachable(cause) || isSafeMode(cause, what) || isStandby(cause)));
    }

    private static String describe(Exception cause, String what) {
        Throwable refusal = refusedLogin(cause);
        if (refusal != null) {
            return "asks for Kerberos, and this process has no ticket (" + firstLine(refusal)
                    + "); set its principal and keytab";
        }
        if (isSafeMode(cause, what)) {
            return "cannot be written, because HDFS is in safe mode; wait until the NameNode leaves it";
        }
        if (cause instanceof AccessControlException) {
            return "may not be used (" + what + "); make it a directory of this user";
        }
        if (cause instanceof ParentNotDirectoryException
                || cause instanceof org.apache.hadoop.fs.FileAlreadyExistsException) {
            return "is not a directory (" + what + "); name another one";
        }
        if (cause instanceof UnsupportedFileSystemException) {
            return "is in a file system which this Hadoop does not know (" + what + ")";
        }
        if (isStandby(cause)) {
            return "has no active NameNode (" + what + ")";
        }
        if (isUnreachable(cause)) {
            return "cannot be reached (" + what + "); look whether its NameNode runs";
        }
        if (cause instanceof FileNotFoundException) {
            return "has lost a file (" + what + ")";
        }
        return "cannot be used: " + what;
    }

    /** What says that the process is not logged in, under what says where it happened; null if it is not that. */
    private static @Nullable Throwable refusedLogin(Exception failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            boolean refused = each instanceof AccessControlException
                    && NOT_LOGGED_IN.matcher(firstLine(each)).find();
            if (refused || each instanceof SaslException || each instanceof KerberosAuthException) {
                return each;
            }
        }
        return null;
    }

    private static boolean isUnreachable(Exception cause) {
        return cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof SocketTimeoutException
                || cause instanceof UnknownHostException
                || cause.getCause() instanceof UnknownHostException;
    }

    private static boolean isStandby(Exception cause) {
        return cause instanceof StandbyException;
    }

    private static boolean isSafeMode(Exception cause, String what) {
        return cause.getClass().getSimpleName().equals("SafeModeException") || what.contains("in safe mode");
    }

    private static String firstLine(Throwable cause) {
        String text = String.valueOf(cause.getMessage()).strip();
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
